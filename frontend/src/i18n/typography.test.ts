import { readdirSync, readFileSync } from 'node:fs'
import { parse } from '@formatjs/icu-messageformat-parser'
import { expect, test } from 'vitest'
import { setNodes } from '../../scripts/typeset-message.mjs'
import { typeset } from '../../scripts/typography.mjs'

interface Case {
  lang: string
  name: string
  in: string
  out: string
}
const cases = JSON.parse(readFileSync('../platform/typography/testdata/cases.json', 'utf8')) as Case[]
const shown = (text: string) => text.replaceAll('\u00a0', '~').replaceAll('\u2011', '_')

test.each(cases)('$lang, $name', ({ lang, in: text, out }) => {
  const once = typeset(lang, text)
  expect(shown(once)).toBe(out)
  expect(typeset(lang, once)).toBe(once)
})

test.each([
  ['sk', 'Zostáva {n, plural, one {# článok} few {{n} dni} many {# roka} other {# na {x} a {y}}}', ['#~článok', '{n}~dni', '#~na {x} a~{y}']],
  ['sk', 'Píšte do {a} a <b>v {c} zime</b> o {d}', ['a~<b>v~{c} zime</b> o~{d}']],
  ['de', 'Noch {n, plural, one {# Artikel} other {# Artikel}} per E-Mail', ['#~Artikel', 'per E_Mail']],
])('a message in %s: %s', (lang, text, parts) => {
  const print = (nodes: any[]): string => // eslint-disable-line @typescript-eslint/no-explicit-any
    nodes
      .map((node) => {
        if (node.children) return `<${node.value}>${print(node.children)}</${node.value}>`
        if (node.options) return Object.values<{ value: object[] }>(node.options).map((option) => print(option.value)).join('|')
        return node.type === 0 ? node.value : node.type === 7 ? '#' : `{${node.value}}`
      })
      .join('')
  const got = shown(print(setNodes(lang, parse(text))))
  for (const part of parts) expect(got).toContain(part)
})

test('the words of pages are set', () => {
  const folder = 'src/gen/messages'
  const texts = ['sk', 'de-CH'].flatMap((locale) => readdirSync(`${folder}/${locale}`).map((file) => readFileSync(`${folder}/${locale}/${file}`, 'utf8'))).join('\n')
  expect(texts).toContain('e\u2011mail')
  expect(texts).not.toMatch(/ [kvszouai] /)
  expect(texts).not.toMatch(/[eE]-[mM]ail(?!@)/)
})
