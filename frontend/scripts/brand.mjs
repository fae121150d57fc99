// Leaves to the server what it draws icons and cards with: the masthead's typeface and each theme's colour.
import fs from 'node:fs'
import path from 'node:path'
import subsetFont from 'subset-font'
import { frontend, write } from './paths.mjs'

const folder = path.join(frontend, 'dist/brand')
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')
const letters = range(0x20, 0x7e) + range(0xa0, 0x17f) + 'ȘșțȚẞ–—‘’‚“”„•…‹›'

/** The value that a custom property has by day. */
function light(css, name, file) {
  const found = new RegExp(`${name}:\\s*(?:light-dark\\()?(#[0-9a-f]{3,6})`, 'i').exec(css)
  if (!found) throw new Error(`${file} does not say ${name}`)
  const [, colour] = found
  return colour.length === 4 ? '#' + [...colour.slice(1)].map((digit) => digit + digit).join('') : colour
}

export async function writeBrand() {
  fs.rmSync(folder, { recursive: true, force: true })
  for (const part of ['latin', 'latin-ext']) {
    const source = path.join(frontend, 'node_modules/@fontsource-variable/newsreader/files', `newsreader-${part}-opsz-normal.woff2`)
    const font = await subsetFont(fs.readFileSync(source), letters, {
      targetFormat: 'truetype',
      variationAxes: { wght: 600, opsz: 36 },
      noLayoutClosure: true,
    })
    write(path.join(folder, `masthead-${part}.ttf`), font)
  }
  const styles = path.join(frontend, 'src/styles')
  const tokens = fs.readFileSync(path.join(styles, 'tokens.css'), 'utf8')
  const paper = light(tokens, '--paper', 'tokens.css')
  const themes = { default: { accent: light(tokens, '--ink', 'tokens.css'), paper } }
  for (const file of fs.readdirSync(path.join(styles, 'themes')).sort()) {
    const css = fs.readFileSync(path.join(styles, 'themes', file), 'utf8')
    themes[path.basename(file, '.css')] = { accent: light(css, '--accent', file), paper }
  }
  write(path.join(folder, 'themes.json'), JSON.stringify(themes))
}
