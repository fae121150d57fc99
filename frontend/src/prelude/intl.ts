// A stand-in for Intl that knows what the pages need and nothing else: the wall clock of a time zone, plural
// categories, and which locales exist. Whatever it does not know throws: a wrong answer would be worse than none.
import numbers from '../gen/numbers.json'
import tables from '../gen/zones.json'
import { pluralCategory } from '../i18n/plural.ts'

const locales = Object.keys(numbers)
const zones: Record<string, number> = tables.zones

function known(locale: unknown): string | undefined {
  const tag = String(locale ?? 'en')
  return locales.find((one) => one === tag) ?? locales.find((one) => one === tag.split('-')[0])
}

function need(locale: unknown): string {
  const found = known(Array.isArray(locale) ? locale[0] : locale)
  if (!found) throw new RangeError(`Intl: no data for the locale ${String(locale)}`)
  return found
}

const supportedLocalesOf = (list: string | string[]) => (Array.isArray(list) ? list : [list]).filter(known)

// A table is [offset, minute, offset, minute, …, offset]: the offset holds until the minute after it.
function offsetAt(table: number[], minute: number): number {
  let low = 0
  let high = (table.length - 1) / 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((table[2 * middle - 1] as number) <= minute) low = middle
    else high = middle - 1
  }
  return table[2 * low] as number
}

type Options = Record<string, unknown>

const parts = ['month', 'day', 'year', 'hour', 'minute'] as const

class DateTimeFormat {
  static supportedLocalesOf = supportedLocalesOf
  private table: number[]
  private zone: string

  constructor(locale?: unknown, options: Options = {}) {
    need(locale)
    this.zone = String(options.timeZone ?? 'UTC')
    const index = zones[this.zone]
    if (index === undefined) throw new RangeError(`Intl: no data for the time zone ${this.zone}`)
    this.table = tables.tables[index] as number[]
    const asked = Object.keys(options).filter((name) => name !== 'timeZone' && options[name] !== undefined)
    const fits = asked.length === 6 && options.hourCycle === 'h23' && parts.every((name) => options[name] === 'numeric')
    if (asked.length > 0 && !fits) throw new RangeError(`Intl: no dates with ${asked.join(', ')}`)
  }

  formatToParts(at: number): { type: string; value: string }[] {
    const minute = Math.floor(at / 60000)
    const local = new Date((minute + offsetAt(this.table, minute)) * 60000)
    const values = [local.getUTCMonth() + 1, local.getUTCDate(), local.getUTCFullYear(), local.getUTCHours(), local.getUTCMinutes()]
    return parts.map((type, index) => ({ type, value: String(values[index]) }))
  }

  resolvedOptions() {
    return { locale: 'en-US', timeZone: this.zone, calendar: 'gregory', numberingSystem: 'latn' }
  }
}

class NumberFormat {
  static supportedLocalesOf = supportedLocalesOf
  private locale: string

  constructor(locale?: unknown) {
    this.locale = need(locale)
  }

  format(): string {
    throw new RangeError('Intl: numbers are written by the edition’s own format')
  }

  resolvedOptions() {
    return { locale: this.locale, numberingSystem: 'latn' }
  }
}

class PluralRules {
  static supportedLocalesOf = supportedLocalesOf
  private locale: string

  constructor(locale?: unknown) {
    this.locale = need(locale)
  }

  select(n: number) {
    return pluralCategory(this.locale, n)
  }
}

class Locale {
  language: string
  region: string | undefined

  constructor(private tag: string) {
    const [language = '', region] = tag.split('-')
    this.language = language
    this.region = region
  }

  get baseName() {
    return this.tag
  }

  toString() {
    return this.tag
  }
}

export const Intl = { DateTimeFormat, NumberFormat, PluralRules, Locale, getCanonicalLocales: (list: string | string[]) => (Array.isArray(list) ? list : [list]) }
