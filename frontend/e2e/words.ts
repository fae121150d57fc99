import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { setNodes } from '../scripts/typeset-message.mjs'
import { must, type Edition } from './paper.ts'

const root = path.join(import.meta.dirname, '../../locales')
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>

export type Words = (id: string, values?: Record<string, string | number>) => string

/** The words of an edition's pages by their names: those of its language, and over them those of its country. */
export function wordsOf({ lang }: Pick<Edition, 'lang'>): Words {
  const shared = path.join(root, lang.slice(0, 2), 'web')
  const own = path.join(root, lang, 'web.json')
  const files = [...readdirSync(shared).map((name) => path.join(shared, name)), ...(existsSync(own) ? [own] : [])]
  const all = Object.assign({}, ...files.map(read)) as Record<string, string>
  return (id, values) => String(new IntlMessageFormat(setNodes(lang, parse(must(all[id], `the words of ${id} in ${lang}`))), lang).format(values))
}
