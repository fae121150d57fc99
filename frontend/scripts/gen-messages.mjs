// Compiles the words of locales/*/web into syntax trees, one file a locale and area, and the union of their ids.
import path from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { dateNames } from './intl-tables.mjs'
import { allLocales, readLanguage, readLocale } from './locales.mjs'
import { gen, write } from './paths.mjs'
import { setNodes } from './typeset-message.mjs'

// A message without placeholders stays a string: the fastest thing to format is nothing.
function compile(locale, text, where) {
  let tree
  try {
    tree = setNodes(locale, parse(text))
  } catch (error) {
    throw new Error(`${where}: ${error.message} in ${JSON.stringify(text)}`)
  }
  if (tree.length === 0) return ''
  return tree.length === 1 && tree[0].type === TYPE.literal ? tree[0].value : tree
}

for (const locale of allLocales) {
  for (const [area, words] of Object.entries(readLocale(locale))) {
    const messages = Object.fromEntries(Object.entries(words).map(([id, text]) => [id, compile(locale, text, `${locale}/${area} ${id}`)]))
    const content = area === 'core' ? { dates: dateNames(locale), messages } : { messages }
    write(path.join(gen, 'messages', locale, `${area}.json`), JSON.stringify(content))
  }
  // An edition has one language: no browser needs to know where the words of the others are.
  const words = ["export { default as core } from './core.json'", "export const areas = import.meta.glob<object>(['./*.json', '!./core.json'], { import: 'default' })"]
  write(path.join(gen, 'messages', locale, 'words.ts'), `${words.join('\n')}\n`)
}

const areas = readLanguage('en')
const ids = Object.values(areas).flatMap((words) => Object.keys(words)).sort()
write(
  path.join(gen, 'message-ids.ts'),
  `export type MessageId =\n${ids.map((id) => `  | '${id}'`).join('\n')}\n\nexport type Area = ${Object.keys(areas).map((area) => `'${area}'`).join(' | ')}\n`,
)
