// Sets words as platform/typography does in Go, with the same rules and the same tests; it runs when words are compiled,
// so browsers get no code of it.
import path from 'node:path'
import { frontend, readJSON } from './paths.mjs'

const { symbols, ...languages } = readJSON(path.join(frontend, '../platform/typography/rules.json'))

/** Stand for what is filled in later: a number, and anything else. */
export const number = '\ue001'
export const other = '\ue000'

const opening = /^[(„“”‚‘’"'«»‹›[–—\-+−±~<>≈]+/
const closing = /[.,;:!?…)\]“”‘’"'»«›‹]+$/
const day = /^\d{1,2}\.$/
const year = /^\d{4}$/
const initial = /^\p{L}\.[,;:)]*$/u
const numeric = new RegExp(`^(\\d|\\d[\\d.,:'’–\\-×/]*\\d|${number})$`)
const upper = /^\p{Lu}/u

const begins = (word, beginnings) =>
  beginnings.some((one) => word.startsWith(one) && (word === one || ([...one].length >= 3 && [...word].length - [...one].length <= 4)))

// Words with the space before each: { text, joined, first }.
function join(rules, words, i) {
  const before = words[i - 1]
  const left = before.text.replace(opening, '')
  const right = words[i].text.replace(opening, '')
  const bare = right.replace(closing, '')
  const chained = i > 1 && before.joined
  if (/^[–—]$/.test(words[i].text)) return true
  if (rules.single.includes(left.toLowerCase())) return true
  if (initial.test(left) && (initial.test(right) || (upper.test(left) && upper.test(right)))) return true
  if (rules.before.includes(left)) return /^\d/.test(right) || right.startsWith(number)
  if (rules.titles.includes(left)) return upper.test(right) || right.endsWith('.')
  if (day.test(left)) return rules.months.includes(bare) || day.test(right) || year.test(bare)
  if (rules.months.includes(left)) return chained && year.test(bare)
  if (begins(left, rules.magnitudes)) return chained && begins(bare, rules.currencies)
  return numeric.test(left) && counts(rules, words, i, left, right, bare)
}

function counts(rules, words, i, left, right, bare) {
  if (left === number) return /^\p{L}/u.test(right) // in messages it is always that which is counted
  if (symbols.includes(bare) || symbols.includes(right)) return true
  if ([bare, right].some((word) => begins(word, rules.magnitudes)) || begins(bare, rules.currencies) || begins(bare, rules.units)) return true
  if (/^\d{3}(,\d+)?$/.test(bare) && /^[1-9]\d{0,2}$/.test(left)) return true
  if (/^\d{3}$/.test(left) && /^\d{2}$/.test(bare)) return true
  if (!upper.test(right) || !/^\d+$/.test(left)) return false
  if (left.length === 2) return i > 1 && words[i - 1].joined && /^\d{3}$/.test(words[i - 2].text)
  return (left.length === 4 || left.length === 5) && (words[i - 1].first || words[i - 2].text.endsWith(','))
}

function hyphens(word) {
  if (/[@/&=]/.test(word)) return word
  const lead = opening.exec(word)?.[0] ?? ''
  const text = word.slice(lead.length)
  if (/^e-mail/i.test(text)) return `${lead}${text[0]}\u2011${text.slice(2)}`
  return /^[A-Z]+(-[A-Z]+)?-\d{4}-\d+$/.test(text.replace(closing, '')) ? lead + text.replaceAll('-', '\u2011') : word
}

/** Sets a text; setting it again changes nothing. */
export function typeset(locale, text) {
  const rules = languages[locale.split('-')[0]]
  if (!rules) return text
  const words = []
  let out = ''
  let gap = null
  for (const [piece] of text.matchAll(/[ \u00a0]+|[\n\t\r]+|[^ \u00a0\n\t\r]+/g)) {
    if (/^[\n\t\r]/.test(piece)) {
      words.length = 0
      out += (gap ?? '') + piece
      gap = null
    } else if (/^[ \u00a0]/.test(piece)) gap = piece
    else {
      const word = { text: piece, first: words.length === 0, joined: gap !== null && gap !== ' ' }
      words.push(word)
      if (gap === ' ' && !word.first && join(rules, words, words.length - 1)) [gap, word.joined] = ['\u00a0', true]
      out += (gap ?? '') + hyphens(piece)
      gap = null
    }
  }
  return out + (gap ?? '')
}
