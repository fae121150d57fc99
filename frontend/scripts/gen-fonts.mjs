// Cuts the two typefaces down to the letters a Central European newspaper sets: a Latin file that every edition
// loads, one of accented letters that the Slovak edition loads too, and the letters of other languages, which browsers
// fetch when a page has some. What a page does not set would keep its first picture waiting.
import fs from 'node:fs'
import path from 'node:path'
import subsetFont from 'subset-font'
import { frontend, gen } from './paths.mjs'

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')
const latin =
  range(0x20, 0x7e) +
  '\u00a0\u00ad§©«°»·×ÁÄÉÍÓÔÖÚÜÝßáäéíóôöúüý' +
  '\u2009\u202f‐‑–—‘’‚“”„•…‹›€−™'
const centralEuropean = 'ĄąĆćČčĎďĘęĚěĹĺĽľŁłŃńŇňŐőŔŕŘřŚśŠšŤťŮůŰűŹźŻżŽž'
const western = 'ÅÆÇÈÊËÎØàâãåæçèêëîïñõøù'
const southern = 'ĐđğŞşăıȘșț'

const unicodeRange = (text) =>
  [...text]
    .map((letter) => letter.codePointAt(0))
    .sort((a, b) => a - b)
    .reduce((runs, code) => {
      const last = runs.at(-1)
      if (last && last[1] === code - 1) last[1] = code
      else runs.push([code, code])
      return runs
    }, [])
    .map(([a, b]) => `U+${a.toString(16)}${a === b ? '' : `-${b.toString(16)}`}`)
    .join(',')

const faces = [
  { family: 'Newsreader', file: 'newsreader', axes: 'opsz', variationAxes: { wght: { min: 400, max: 700 }, opsz: 36 }, noLayoutClosure: true },
  // With tabular figures, in which clocks and invoices are set.
  { family: 'Public Sans', file: 'public-sans', axes: 'wght', variationAxes: { wght: { min: 400, max: 700 } }, noLayoutClosure: false, keepFeatures: ['kern', 'tnum', 'lnum'] },
]
const parts = [
  { name: 'latin', source: 'latin', text: latin },
  { name: 'ce', source: 'latin-ext', text: centralEuropean },
  { name: 'western', source: 'latin', text: western },
  { name: 'southern', source: 'latin-ext', text: southern },
]

const folder = path.join(gen, 'fonts')
const css = path.join(folder, 'fonts.css')
const inputs = [import.meta.filename, path.join(frontend, 'package-lock.json')]
if (!fs.existsSync(css) || inputs.some((file) => fs.statSync(file).mtimeMs > fs.statSync(css).mtimeMs)) {
  fs.mkdirSync(folder, { recursive: true })
  const rules = []
  for (const face of faces) {
    for (const part of parts) {
      const source = path.join(frontend, 'node_modules/@fontsource-variable', face.file, 'files', `${face.file}-${part.source}-${face.axes}-normal.woff2`)
      const output = await subsetFont(fs.readFileSync(source), part.text, {
        targetFormat: 'woff2',
        variationAxes: face.variationAxes,
        keepFeatures: face.keepFeatures,
        noLayoutClosure: face.noLayoutClosure || part.name !== 'latin',
      })
      const name = `${face.file}-${part.name}.woff2`
      fs.writeFileSync(path.join(folder, name), output)
      rules.push(
        `@font-face{font-family:"${face.family}";src:url("./${name}") format("woff2");font-weight:400 700;font-display:optional;unicode-range:${unicodeRange(part.text)}}`,
      )
    }
  }
  fs.writeFileSync(css, rules.join('\n') + '\n')
}
