// Writes assets/licenses.txt: licences and notices of the packages in the bundles of browsers and of the server, of the
// typefaces, and of the viewer of the HTTP API. The build fails at a package without a licence and at one that is not allowed.
import fs from 'node:fs'
import path from 'node:path'
import { frontend, readJSON, write } from './paths.mjs'

// Vite has written one for each bundle.
const lists = ['client/.vite/app-licenses.json', 'client/.vite/first-licenses.json', 'server/.vite/server-licenses.json', 'server/.vite/prelude-licenses.json']
const allowed = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1', 'Unicode-3.0']
const rule = '='.repeat(80)

/** A package of which Vite does not see that it becomes part of the build. */
function installed(name) {
  const folder = path.join(frontend, 'node_modules', name)
  const { version, license } = readJSON(path.join(folder, 'package.json'))
  const files = fs.readdirSync(folder).filter((file) => /^(licen[cs]e|notice)\b/i.test(file) || file === 'swagger-ui-bundle.js.LICENSE.txt')
  const text = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n')
  // What Vite itself bundles is in the tool alone.
  return { name, version, identifier: license, text: text.split('\n# Licenses of bundled dependencies')[0].trim() }
}

/** All works, by name; two bundles may hold the same one. */
function works() {
  const { devDependencies } = readJSON(path.join(frontend, 'package.json'))
  const typefaces = Object.keys(devDependencies).filter((name) => name.startsWith('@fontsource'))
  const found = lists.flatMap((list) => {
    const file = path.join(frontend, 'dist', list)
    const packages = readJSON(file)
    fs.rmSync(file)
    return packages
  })
  // Bundles have helpers of the bundler, and names and formats of CLDR, which Node.js knows from ICU.
  found.push(...['vite', 'rolldown', 'swagger-ui-dist', ...typefaces].map(installed), {
    name: 'Unicode CLDR',
    version: process.versions.cldr,
    identifier: 'Unicode-3.0',
    text: fs.readFileSync(path.join(frontend, 'scripts/unicode-license.txt'), 'utf8').trim(),
  })
  return [...new Map(found.map((work) => [`${work.name} ${work.version}`, work])).entries()].sort(([a], [b]) => (a < b ? -1 : 1))
}

export function writeLicenses() {
  let head = 'The pages of this site contain the following works of others. Their licences and notices follow.\n\n'
  const texts = new Map()
  for (const [title, { identifier, text }] of works()) {
    if (!text || !allowed.includes(identifier)) throw new Error(`${title}: the licence ${identifier} is not allowed, or its text is missing`)
    head += `${title} (${identifier})\n`
    const tidy = text.replaceAll(/[ \t\r]+$/gm, '')
    texts.set(tidy, [...(texts.get(tidy) ?? []), title])
  }
  const notices = [...texts].map(([text, titles]) => `\n${rule}\n${titles.join('\n')}\n\n${text}\n`)
  write(path.join(frontend, 'dist/client/assets/licenses.txt'), head + notices.join(''))
}
