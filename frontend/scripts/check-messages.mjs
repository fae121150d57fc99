// The words of all languages must agree: ids, placeholders, plurals, spelling, and where each may be used.
import fs from 'node:fs'
import path from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { runnerImport } from 'vite'
import { languages, overlays, readLanguage, readLocale, readOverlay } from './locales.mjs'
import { frontend, readPages } from './paths.mjs'

const problems = []
const plurals = { sk: ['few', 'many', 'one', 'other'], de: ['one', 'other'], en: ['one', 'other'] }

/** Placeholders, tags and plurals of a message: [{ kind, name, options }]. */
function shape(nodes, out = []) {
  for (const node of nodes) {
    if (node.type === TYPE.literal || node.type === TYPE.pound) continue
    out.push({ kind: TYPE[node.type], name: node.value, options: node.options && Object.keys(node.options).sort() })
    for (const option of Object.values(node.options ?? {})) shape(option.value, out)
    if (node.children) shape(node.children, out)
  }
  return out
}
const names = (found) => [...new Set(found.map(({ kind, name }) => (kind === 'tag' ? `<${name}>` : `{${name}}`)))].sort().join(' ')

function checkText(where, text, language) {
  if (typeof text !== 'string' || text.trim() === '') return void problems.push(`${where}: is empty`)
  let found
  try {
    found = shape(parse(text))
  } catch (error) {
    return void problems.push(`${where}: ${error.message}`)
  }
  for (const { kind, name, options } of found) {
    if (kind === 'date' || kind === 'time' || kind === 'number') problems.push(`${where}: {${name}, ${kind}}: give it formatted text instead`)
    const missing = kind === 'plural' ? plurals[language].filter((category) => !options.includes(category)) : []
    if (missing.length > 0) problems.push(`${where}: the plural of {${name}} lacks ${missing.join(', ')}`)
  }
  return names(found)
}

const reference = readLanguage('en')
const placeholders = new Map()
const areaOf = new Map()
for (const [area, words] of Object.entries(reference)) {
  for (const [id, text] of Object.entries(words)) {
    if (areaOf.has(id)) problems.push(`en/${area} ${id}: is in ${areaOf.get(id)} too`)
    areaOf.set(id, area)
    placeholders.set(id, checkText(`en/${area} ${id}`, text, 'en'))
  }
}

for (const language of languages.filter((one) => one !== 'en')) {
  const areas = readLanguage(language)
  for (const area of new Set([...Object.keys(reference), ...Object.keys(areas)])) {
    const words = areas[area] ?? {}
    for (const id of Object.keys(reference[area] ?? {})) if (!(id in words)) problems.push(`${language}/${area} ${id}: is missing`)
    for (const [id, text] of Object.entries(words)) {
      const where = `${language}/${area} ${id}`
      if (areaOf.get(id) !== area) problems.push(`${where}: is not in en/${area}`)
      const found = checkText(where, text, language)
      if (found !== undefined && placeholders.get(id) !== undefined && found !== placeholders.get(id)) problems.push(`${where}: has ${found || 'no placeholder'}, en has ${placeholders.get(id) || 'none'}`)
    }
  }
}

for (const [locale, base] of Object.entries(overlays)) {
  for (const [id, text] of Object.entries(readOverlay(locale))) {
    const where = `${locale} ${id}`
    if (!areaOf.has(id)) problems.push(`${where}: ${base} has no such text`)
    const found = checkText(where, text, base)
    if (found !== undefined && areaOf.has(id) && found !== placeholders.get(id)) problems.push(`${where}: has ${found || 'no placeholder'}, en has ${placeholders.get(id) || 'none'}`)
  }
}
for (const [area, words] of Object.entries(readLocale('de-CH'))) {
  for (const [id, text] of Object.entries(words)) if (/[ß„“]/.test(text)) problems.push(`de-CH/${area} ${id}: Swiss German has neither ß nor „“; put it into de-CH/web.json`)
}

// Every code that may stand in ?status= has words.
const { module: codes } = await runnerImport(path.join(frontend, 'src/api/codes.ts'))
for (const code of [...codes.errorCodes, ...codes.successCodes]) if (!areaOf.has(`status.${code}`)) problems.push(`en/errors status.${code}: is missing`)

// A page is sent with core and its own areas: other words would be there on the server only.
const { pageTable, lazyAreas } = await readPages()
const familyAreas = new Map(Object.entries(lazyAreas).map(([folder, areas]) => [folder, new Set(areas)]))
for (const { file, areas } of Object.values(pageTable)) {
  const family = file.split('/')[0]
  familyAreas.set(family, new Set([...(familyAreas.get(family) ?? []), ...areas]))
}
const sources = (folder) =>
  fs.readdirSync(folder, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)).map((name) => path.join(folder, name))
for (const file of sources(path.join(frontend, 'src'))) {
  const relative = path.relative(path.join(frontend, 'src'), file)
  if (/^(gen|test|prelude)\//.test(relative)) continue
  const family = /^pages\/([^/]+)\//.exec(relative)?.[1]
  const allowed = new Set(['core', 'errors', ...(family ? (familyAreas.get(family) ?? []) : [])])
  for (const [, id] of fs.readFileSync(file, 'utf8').matchAll(/['"`]([a-z][\w]*(?:\.[\w-]+)+)['"`]/g)) {
    const area = areaOf.get(id)
    if (!area) continue
    if (!allowed.has(area)) problems.push(`${relative}: uses ${id} of ${area}, which is not loaded there`)
  }
}

if (problems.length > 0) {
  console.error(`${problems.length} problems in the words:\n  ${problems.join('\n  ')}`)
  process.exit(1)
}
console.log(`${areaOf.size} texts in ${languages.length} languages and ${Object.keys(overlays).length} overlays agree`)
