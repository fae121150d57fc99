import { describe, expect, test } from 'vitest'
import { allWords } from './words.server.ts'
import { createFormat } from './format.ts'

const format = (timeZone = 'Europe/Bratislava', numberLocale = 'sk-SK', locale: 'sk' | 'de' | 'de-AT' | 'de-CH' | 'en' = 'sk') =>
  createFormat({ timeZone, numberLocale, dates: allWords(locale).dates })

describe('dates', () => {
  test.each([
    ['summer time', '2025-08-31T22:30:00Z', '01.09.2025', '00:30'],
    ['winter time', '2025-12-31T23:30:00Z', '01.01.2026', '00:30'],
    ['an offset in the text', '2025-09-01T14:05:00+02:00', '01.09.2025', '14:05'],
    ['the hour that does not exist', '2026-03-29T01:30:00Z', '29.03.2026', '03:30'],
  ])('%s', (_, at, date, time) => {
    expect(format().date(at)).toBe(date)
    expect(format().time(at)).toBe(time)
    expect(format().dateTime(at)).toBe(`${date} ${time}`)
  })

  test('seconds since 1970 are taken too', () => {
    expect(format().date(1756728000)).toBe('01.09.2025')
  })

  test('a day is the edition’s day', () => {
    expect(format('UTC').day('2025-08-31T22:30:00Z')).toBe('2025-08-31')
    expect(format().day('2025-08-31T22:30:00Z')).toBe('2025-09-01')
  })

  test.each([
    ['sk', 'pondelok 1.\u00a0septembra\u00a02025'],
    ['de', 'Montag, 1.\u00a0September\u00a02025'],
    ['de-AT', 'Montag, 1.\u00a0September\u00a02025'],
    ['en', 'Monday, 1\u00a0September\u00a02025'],
  ] as const)('in words, %s', (locale, text) => {
    expect(format(undefined, undefined, locale).fullDate('2025-09-01T10:00:00Z')).toBe(text)
  })

  test('Austria has its own January', () => {
    expect(format('Europe/Vienna', 'sk-SK', 'de-AT').longDate('2026-01-05T10:00:00Z')).toBe('5.\u00a0Jänner\u00a02026')
  })

  test.each([
    ['today', '2026-11-22T10:15:00Z', 'dnes\u00a011:15', '11:15'],
    ['today by the edition’s zone', '2026-11-21T23:00:00Z', 'dnes\u00a000:00', '00:00'],
    ['yesterday, a minute before midnight', '2026-11-21T22:59:00Z', 'včera\u00a023:59', 'včera\u00a023:59'],
    ['the day before', '2026-11-20T22:59:00Z', '20.\u00a011.', '20.\u00a011.\u00a023:59'],
    ['a week ago', '2026-11-15T10:15:00Z', '15.\u00a011.', '15.\u00a011.\u00a011:15'],
    ['last year', '2025-11-07T10:15:00Z', '7.\u00a011.\u00a02025', '7.\u00a011.\u00a02025\u00a011:15'],
    ['tomorrow, which is a wrong clock', '2026-11-23T10:15:00Z', '23.\u00a011.', '23.\u00a011.\u00a011:15'],
  ])('in lists, %s', (_, at, when, clock) => {
    expect(format().when(at, '2026-11-22')).toBe(when)
    expect(format().clock(at, '2026-11-22')).toBe(clock)
  })

  test.each([
    ['de-AT', 'gestern\u00a009:30', '7.11.', '7.11.2025'],
    ['de-CH', 'gestern\u00a009:30', '7.11.', '7.11.2025'],
    ['en', 'yesterday\u00a009:30', '7\u00a0November', '7\u00a0November\u00a02025'],
  ] as const)('in lists, %s', (locale, yesterday, short, year) => {
    const { when } = format(undefined, undefined, locale)
    expect(when('2026-11-21T08:30:00Z', '2026-11-22')).toBe(yesterday)
    expect(when('2026-11-07T08:30:00Z', '2026-11-22')).toBe(short)
    expect(when('2025-11-07T08:30:00Z', '2026-11-22')).toBe(year)
  })

  test('yesterday is of another month, and of another year', () => {
    expect(format().when('2026-02-28T10:00:00Z', '2026-03-01')).toBe('včera\u00a011:00')
    expect(format().when('2025-12-31T10:00:00Z', '2026-01-01')).toBe('včera\u00a011:00')
  })

  test('a list that does not know its day says the year', () => {
    expect(format().when('2026-11-21T10:00:00Z')).toBe('21.\u00a011.\u00a02026')
  })

  test('what is no date is refused', () => {
    expect(() => format().date('gestern')).toThrow('Not a date')
  })
})

describe('numbers', () => {
  test.each([
    [796, 'EUR', '7,96\u00a0€'],
    [100, 'EUR', '1,00\u00a0€'],
    [123456789, 'EUR', '1\u00a0234\u00a0567,89\u00a0€'],
    [-796, 'EUR', '-7,96\u00a0€'],
    [5, 'CHF', '0,05\u00a0CHF'],
  ])('%i minor units of %s', (minor, currency, text) => {
    expect(format().money(minor, currency)).toBe(text)
  })

  test('money is the number locale’s, not the language’s', () => {
    expect(format('Europe/Zurich', 'sk-SK', 'de-CH').money(8900)).toBe('89,00\u00a0€')
    expect(format('Europe/Zurich', 'de-CH', 'de-CH').money(123450)).toBe('EUR\u00a01’234.50')
    expect(format('Europe/Zurich', 'de-CH', 'de-CH').money(8900)).toBe('EUR\u00a089.–')
    expect(format('Europe/Zurich', 'de-CH', 'de-CH').money(100, 'CHF')).toBe('CHF\u00a01.–')
  })

  test.each([
    [1234, undefined, '1\u00a0234'],
    [0.5, undefined, '0,5'],
    [12, 1, '12,0'],
  ])('%d with %s decimals', (value, decimals, text) => {
    expect(format().number(value, decimals)).toBe(text)
  })

  test('an unknown currency is refused', () => {
    expect(() => format().money(100, 'XXX')).toThrow('XXX')
  })
})

test.each([
  [7, '0:07'],
  [187, '3:07'],
  [3765, '1:02:45'],
])('a length of %i seconds', (seconds, text) => {
  expect(format().duration(seconds)).toBe(text)
})
