// Asks the ICU of the building Node for what pages print, so that server and every browser print the same bytes.
const icuLocale = (locale) => (locale === 'en' ? 'en-GB' : locale)

const unbroken = (text) => text.replaceAll(' ', '\u00a0')

/** Names and patterns of dates: { weekdays, months, full, long, short, shortYear, today, yesterday }. */
export function dateNames(locale) {
  const names = (options, dates) =>
    dates.map((date) => {
      const parts = new Intl.DateTimeFormat(icuLocale(locale), { timeZone: 'UTC', ...options }).formatToParts(date)
      return parts.find((part) => part.type === Object.keys(options)[0]).value
    })
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day)) // a Sunday first
  const firsts = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 1))
  const pattern = (options) =>
    new Intl.DateTimeFormat(icuLocale(locale), { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric', ...options })
      .formatToParts(Date.UTC(2023, 0, 1))
      .map((part) => (part.type === 'literal' ? part.value : `{${part.type}}`))
      .join('')
      .replace(/(\{day\}\.?|\{month\}) (?=\{)/g, '$1\u00a0') // a date stays on its line
  // "7. 11." where the language writes days so; where it writes 07/11 the month is said in words, for that may be a July.
  const numeric = pattern({ month: 'numeric' })
  const short = numeric.includes('/') ? pattern({}) : numeric.replace('{month}', '{number}')
  const near = new Intl.RelativeTimeFormat(icuLocale(locale), { numeric: 'auto' })
  return {
    weekdays: names({ weekday: 'long' }, days),
    months: names({ month: 'long', day: 'numeric' }, firsts),
    full: pattern({ weekday: 'long' }),
    long: pattern({}),
    short: unbroken(short.slice(0, short.indexOf('{year}')).trim()),
    shortYear: unbroken(short),
    today: near.format(0, 'day'),
    yesterday: near.format(-1, 'day'),
  }
}

const currencies = ['EUR', 'CHF'] // those that an edition may have

/** How a locale writes numbers: separators, and [before, after] for each currency. */
export function numberFormats(locale) {
  const large = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1234567.5)
  const value = (parts, type) => parts.find((part) => part.type === type)?.value ?? ''
  const grouped = new Intl.NumberFormat(locale).formatToParts(1234).some((part) => part.type === 'group')
  const money = Object.fromEntries(
    currencies.map((currency) => {
      const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1.5)
      const first = parts.findIndex((part) => part.type === 'integer')
      const last = parts.findLastIndex((part) => part.type === 'fraction')
      const text = (some) => some.map((part) => part.value).join('')
      return [currency, [text(parts.slice(0, first)), text(parts.slice(last + 1))]]
    }),
  )
  return { group: value(large, 'group').replace("'", '’'), decimal: value(large, 'decimal'), groupFrom: grouped ? 4 : 5, money, ...(locale === 'de-CH' && { even: '–' }) } // the Swiss write 89.–
}

const minute = 60_000
const span = { from: Date.UTC(1990, 0, 1) / minute, to: Date.UTC(2051, 0, 1) / minute, step: 12 * 24 * 60 }

function transitions(timeZone) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' })
  const offset = (at) => {
    const part = Object.fromEntries(format.formatToParts(at * minute).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute) / minute - at
  }
  const out = [offset(span.from)]
  for (let at = span.from, before = out[0]; at < span.to; at += span.step) {
    const after = offset(at + span.step)
    if (after === before) continue
    let low = at
    let high = at + span.step
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (offset(middle) === before) low = middle
      else high = middle
    }
    out.push(high, after)
    before = after
  }
  return out
}

/** Time zones: { zones: { name: index }, tables: [[offset, minute, offset, minute, …]] } in minutes since 1970. */
export function zoneTables() {
  const tables = []
  const index = new Map()
  const zones = {}
  for (const zone of ['UTC', ...Intl.supportedValuesOf('timeZone')]) {
    if (zone !== 'UTC' && !zone.startsWith('Europe/') && !zone.startsWith('Atlantic/')) continue
    const table = transitions(zone)
    const key = table.join()
    if (!index.has(key)) index.set(key, tables.push(table) - 1)
    zones[zone] = index.get(key)
  }
  return { zones, tables }
}
