// Fails when a page's first load is larger than budgets.json allows. Sizes are KiB after gzip -9; fonts as they are.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { frontend, readJSON } from './paths.mjs'

const client = path.join(frontend, 'dist/client')
const budgets = readJSON(path.join(frontend, 'budgets.json'))
const preload = readJSON(path.join(client, 'preload.json'))
const gzipped = (file) => zlib.gzipSync(fs.readFileSync(path.join(client, file)), { level: 9 }).length
const raw = (file) => fs.statSync(path.join(client, file)).size
const total = (files, size) => files.reduce((sum, file) => sum + size(file), 0) / 1024

const problems = []
const report = (what, size, limit) => {
  const line = `${what.padEnd(28)} ${size.toFixed(1).padStart(6)} of ${limit} KiB`
  console.log(line)
  if (size > limit) problems.push(line)
}

for (const [route, byLocale] of Object.entries(preload.routes)) {
  const limits = budgets.routes[route]
  if (!limits) {
    problems.push(`${route}: budgets.json has no budget for it`)
    continue
  }
  const sizes = Object.values(byLocale).map(({ js, css }) => ({ js: total([preload.entry, ...js], gzipped), css: total(css, gzipped) }))
  report(`${route} JavaScript`, Math.max(...sizes.map(({ js }) => js)), limits.js)
  report(`${route} CSS`, Math.max(...sizes.map(({ css }) => css)), limits.css)
}
for (const [locale, { fonts }] of Object.entries(Object.values(preload.routes)[0])) {
  report(`fonts ${locale}`, total(fonts, raw), budgets.fonts[locale])
}

// What is fetched later must be small, but for what has a budget of its own, by the name of its chunk.
const initial = new Set([preload.entry, ...Object.values(preload.routes).flatMap((byLocale) => Object.values(byLocale).flatMap(({ js }) => js))])
for (const name of fs.readdirSync(path.join(client, 'assets')).filter((name) => name.endsWith('.js'))) {
  const file = `/assets/${name}`
  if (initial.has(file)) continue
  const own = budgets.laterChunks[name.replace(/-.{7}\.js$/, '')]
  if (own) report(`later ${name}`, gzipped(file) / 1024, own)
  else if (gzipped(file) / 1024 > budgets.lazyChunk) problems.push(`${file}: a later chunk of more than ${budgets.lazyChunk} KiB`)
}

if (problems.length > 0) {
  console.error(`\nOver budget:\n  ${problems.join('\n  ')}`)
  process.exit(1)
}
