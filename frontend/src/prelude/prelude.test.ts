import { describe, expect, test } from 'vitest'
import numbers from '../gen/numbers.json'
import tables from '../gen/zones.json'
import { Intl as Stand } from './intl.ts'
import { URL as StandURL } from './url.ts'

const options = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

// The same instants on every run, spread over 55 years.
const instants = Array.from({ length: 300 }, (_, i) => 662_688_000_000 + i * 5_641_237_123)

describe('the wall clock', () => {
  test.each(['UTC', 'Europe/Bratislava', 'Europe/Vienna', 'Europe/Zurich', 'Europe/London', 'Europe/Istanbul', 'Atlantic/Reykjavik'])('%s is the same as in ICU', (timeZone) => {
    const ours = new Stand.DateTimeFormat('en-US', { ...options, timeZone })
    const theirs = new Intl.DateTimeFormat('en-US', { ...options, timeZone })
    for (const at of instants) {
      const wanted = theirs.formatToParts(at).filter(({ type }) => type !== 'literal')
      expect(ours.formatToParts(at)).toEqual(wanted.map(({ type, value }) => ({ type, value: String(Number(value)) })))
    }
  })

  test('the minutes around a change', () => {
    const ours = new Stand.DateTimeFormat('en-US', { ...options, timeZone: 'Europe/Bratislava' })
    const hour = (at: string) => ours.formatToParts(Date.parse(at)).find(({ type }) => type === 'hour')?.value
    expect(hour('2026-03-29T00:59:59Z')).toBe('1')
    expect(hour('2026-03-29T01:00:00Z')).toBe('3')
  })

  test('what it does not know, it refuses', () => {
    expect(() => new Stand.DateTimeFormat('en-US', { timeZone: 'Mars/Olympus' })).toThrow('Mars/Olympus')
    expect(() => new Stand.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' })).toThrow('dateStyle')
    expect(() => new Stand.DateTimeFormat('fr')).toThrow('fr')
    expect(() => new Stand.NumberFormat('sk').format()).toThrow()
  })

  test('locales and zones are there', () => {
    expect(Stand.NumberFormat.supportedLocalesOf(['sk-SK', 'fr'])).toEqual(['sk-SK'])
    expect(Object.keys(numbers).sort()).toEqual(['de', 'de-AT', 'de-CH', 'en', 'sk'])
    expect(Object.keys(tables.zones)).toContain('Europe/Berlin')
  })
})

describe('URL', () => {
  const references = ['/', '/a/b', '/tema/0-investícia', '/a b?q=č ď#x y', '../x', 'x/y?z', '?a=1', '#h', '/a/./b/../c', '/%C5%A1', '//other.example/x', 'https://a.example/č?x=\'"<>', '/a"<>`{}|\\b', '/x//y', '/😀', '', '/a/..', '/%2e%2e/x', '/a?b#c?d', 'HTTP://A.example:8080/x']
  test.each(references)('%s is read as browsers read it', (reference) => {
    for (const base of ['http://localhost', 'http://localhost/q/w?e=1']) {
      const wanted = new URL(reference, base)
      const found = new StandURL(reference, base)
      expect({ href: found.href, path: found.pathname, query: found.search, hash: found.hash, origin: found.origin }).toEqual({
        href: wanted.href,
        path: wanted.pathname,
        query: wanted.search,
        hash: wanted.hash,
        origin: wanted.origin,
      })
    }
  })

  test('without a base a path is refused', () => {
    expect(() => new StandURL('/x')).toThrow(TypeError)
  })
})
