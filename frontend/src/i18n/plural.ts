type Category = 'one' | 'two' | 'few' | 'many' | 'other'

// CLDR's cardinal rules of the languages that the words exist in. Own, because the server's engine has no Intl.
const rules: Record<string, (n: number) => Category> = {
  sk: (n) => (!Number.isInteger(n) ? 'many' : n === 1 ? 'one' : n >= 2 && n <= 4 ? 'few' : 'other'),
  de: (n) => (n === 1 ? 'one' : 'other'),
  en: (n) => (n === 1 ? 'one' : 'other'),
}

/** The plural category of a number in a language ("sk", "de-AT", …). */
export function pluralCategory(locale: string, n: number): Category {
  const rule = rules[locale.split('-')[0] ?? '']
  if (!rule) throw new RangeError(`No plural rule for ${locale}`)
  return rule(Math.abs(n))
}
