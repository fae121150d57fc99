import numbers from '../gen/numbers.json'
import { createWallClock } from './wall-clock.ts'

/** Names and patterns of a language's dates, made when building. */
export interface DateNames {
  weekdays: string[]
  months: string[]
  full: string
  long: string
  short: string
  shortYear: string
  today: string
  yesterday: string
}

interface NumberFormat {
  group: string
  decimal: string
  groupFrom: number
  money: Record<string, string[]>
  /** In the place of no cents: EUR 89.– */
  even?: string
}

/** Seconds since 1970, or a date as RFC 3339. */
export type Instant = number | string

export interface Format {
  /** 01.09.2025 */
  date: (at: Instant) => string
  /** 14:05 */
  time: (at: Instant) => string
  /** 01.09.2025 14:05 */
  dateTime: (at: Instant) => string
  /** When, as lists say it on that day (see `day`): dnes 14:05, včera 14:05, 1. 9., of another year 1. 9. 2024. Never breaks. */
  when: (at: Instant, today?: string) => string
  /** The same for news by the minute, which have their time always: 14:05, včera 14:05, 1. 9. 14:05. */
  clock: (at: Instant, today?: string) => string
  /** 1. septembra 2025, in the edition's language */
  longDate: (at: Instant) => string
  /** pondelok 1. septembra 2025 */
  fullDate: (at: Instant) => string
  /** The calendar day as 2025-09-01, to compare days. */
  day: (at: Instant) => string
  /** 1 234,5 */
  number: (value: number, decimals?: number) => string
  /** 7,96 € from minor units */
  money: (minor: number, currency?: string) => string
  /** 3:07 or 1:02:45 */
  duration: (seconds: number) => string
}

/** A function that remembers its last answer: a card asks for its one date several times, and a page for its one day. */
function remembering<Argument, Answer>(fn: (argument: Argument) => Answer): (argument: Argument) => Answer {
  let last: { argument: Argument; answer: Answer } | undefined
  return (argument) => {
    if (!last || last.argument !== argument) last = { argument, answer: fn(argument) }
    return last.answer
  }
}

/** The day before one, 2025-08-31; of no day none. */
const before = remembering((day: string) => day && new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10))

const two = (n: number) => (n < 10 ? `0${n}` : String(n))

function numberFormat(locale: string): NumberFormat {
  const table = numbers as Record<string, NumberFormat>
  const found = table[locale] ?? table[locale.split('-')[0] ?? '']
  if (!found) throw new RangeError(`No number format for ${locale}`)
  return found
}

/** Formats that print the same bytes on the server and in every browser. */
export function createFormat({ timeZone, numberLocale, dates }: { timeZone: string; numberLocale: string; dates: DateNames }): Format {
  const wallClock = createWallClock(timeZone)
  const style = numberFormat(numberLocale)

  const partsOf = remembering((at: Instant) => {
    const ms = typeof at === 'number' ? at * 1000 : Date.parse(at)
    if (Number.isNaN(ms)) throw new RangeError(`Not a date: ${at}`)
    return wallClock(ms)
  })
  const date = (at: Instant) => {
    const p = partsOf(at)
    return `${two(p.day)}.${two(p.month)}.${p.year}`
  }
  const time = (at: Instant) => {
    const p = partsOf(at)
    return `${two(p.hour)}:${two(p.minute)}`
  }
  const words = (pattern: string, at: Instant) => {
    const p = partsOf(at)
    const weekday = new Date(Date.UTC(p.year, p.month - 1, p.day)).getUTCDay()
    return pattern
      .replace('{weekday}', dates.weekdays[weekday] ?? '')
      .replace('{day}', String(p.day))
      .replace('{month}', dates.months[p.month - 1] ?? '')
      .replace('{number}', String(p.month))
      .replace('{year}', String(p.year))
  }
  const dayOf = (at: Instant) => {
    const p = partsOf(at)
    return `${p.year}-${two(p.month)}-${two(p.day)}`
  }
  // The name of a day that is near to today, or nothing.
  const near = (at: Instant, today = '') => {
    const day = dayOf(at)
    return day === today ? dates.today : day === before(today) ? dates.yesterday : ''
  }
  const short = (at: Instant, today = '') => words(dayOf(at).slice(0, 4) === today.slice(0, 4) ? dates.short : dates.shortYear, at)
  const digits = (absolute: number, decimals: number | undefined) => {
    const fixed = decimals === undefined ? String(Math.round(absolute * 1000) / 1000) : absolute.toFixed(decimals)
    const [whole = '0', fraction] = fixed.split('.')
    const grouped = whole.length >= style.groupFrom ? whole.replace(/\B(?=(\d{3})+$)/g, style.group) : whole
    return fraction ? grouped + style.decimal + fraction : grouped
  }
  const sign = (value: number) => (value < 0 ? '-' : '')

  return {
    date,
    time,
    dateTime: (at) => `${date(at)} ${time(at)}`,
    longDate: (at) => words(dates.long, at),
    fullDate: (at) => words(dates.full, at),
    when: (at, today) => {
      const name = near(at, today)
      return name ? `${name}\u00a0${time(at)}` : short(at, today)
    },
    clock: (at, today) => (dayOf(at) === today ? '' : `${near(at, today) || short(at, today)}\u00a0`) + time(at),
    day: dayOf,
    number: (value, decimals) => sign(value) + digits(Math.abs(value), decimals),
    money: (minor, currency = 'EUR') => {
      const affixes = style.money[currency]
      if (!affixes) throw new RangeError(`No format for the currency ${currency}`)
      const text = digits(Math.abs(minor) / 100, 2)
      return sign(minor) + affixes[0] + (style.even && minor % 100 === 0 ? text.slice(0, -2) + style.even : text) + affixes[1]
    },
    duration: (seconds) => {
      const whole = Math.max(0, Math.round(seconds))
      const h = Math.floor(whole / 3600)
      const m = Math.floor(whole / 60) % 60
      return h > 0 ? `${h}:${two(m)}:${two(whole % 60)}` : `${m}:${two(whole % 60)}`
    },
  }
}
