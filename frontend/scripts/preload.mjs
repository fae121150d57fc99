// Says which files a page needs, so that the server can link and preload them without knowing how they were built.
import path from 'node:path'
import { allLocales } from './locales.mjs'
import { frontend, readJSON, readPages, write } from './paths.mjs'

const client = path.join(frontend, 'dist/client')
/** The typefaces: every edition sets Latin, one with carons and strokes the Central European letters too. */
const fontParts = (locale) => (locale === 'sk' ? ['latin', 'ce'] : ['latin'])

/** A chunk's own and statically imported files, in the order in which they must load. */
function collect(manifest, key, out = { js: new Set(), css: new Set() }) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`${key} is not in the manifest`)
  for (const needed of chunk.imports ?? []) collect(manifest, needed, out)
  for (const file of chunk.css ?? []) out.css.add(`/${file}`)
  out.js.add(`/${chunk.file}`)
  return out
}

/** { entry, routes: { front: { sk: { js, css, fonts } } } } with absolute paths; `js` is what the entry fetches, the app first. */
export async function readPreload() {
  const manifest = readJSON(path.join(client, '.vite/manifest.json'))
  const { pageTable } = await readPages()
  const app = 'src/entry.client.tsx'
  const fontFiles = (locale) =>
    fontParts(locale).flatMap((part) => ['newsreader', 'public-sans'].map((face) => `/${manifest[`src/gen/fonts/${face}-${part}.woff2`].file}`))
  const routes = {}
  for (const [route, { file, areas }] of Object.entries(pageTable)) {
    routes[route] = {}
    for (const locale of allLocales) {
      const found = collect(manifest, app)
      collect(manifest, `src/pages/${file}.page.tsx`, found)
      for (const words of ['words.ts', ...areas.map((area) => `${area}.json`)]) collect(manifest, `src/gen/messages/${locale}/${words}`, found)
      const program = `/${manifest[app].file}`
      found.js.delete(program)
      routes[route][locale] = { js: [program, ...found.js], css: [...found.css], fonts: fontFiles(locale) }
    }
  }
  const first = readJSON(path.join(client, '.vite/first.json'))
  return { entry: `/${first['src/entry.first.ts'].file}`, routes }
}

export async function writePreload() {
  write(path.join(client, 'preload.json'), JSON.stringify(await readPreload()))
}
