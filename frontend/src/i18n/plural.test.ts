import { expect, test } from 'vitest'
import { pluralCategory } from './plural.ts'

test.each(['sk', 'de', 'en'])('the rules of %s are those of CLDR', (locale) => {
  const rules = new Intl.PluralRules(locale)
  for (const n of [0, 0.5, 1, 1.5, 2, 3, 4, 4.1, 5, 10, 11, 21, 22, 100, 101, 1000000]) {
    expect(pluralCategory(locale, n), String(n)).toBe(rules.select(n))
  }
})

test('an overlay has its language’s rules', () => {
  expect(pluralCategory('de-CH', 1)).toBe('one')
})

test('an unknown language is refused', () => {
  expect(() => pluralCategory('fr', 1)).toThrow('fr')
})
