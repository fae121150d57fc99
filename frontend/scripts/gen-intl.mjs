import fs from 'node:fs'
import path from 'node:path'
import { numberFormats, zoneTables } from './intl-tables.mjs'
import { allLocales } from './locales.mjs'
import { gen, write } from './paths.mjs'

write(path.join(gen, 'numbers.json'), JSON.stringify(Object.fromEntries(allLocales.map((locale) => [locale, numberFormats(locale)]))))

// Slow to compute, and it changes with the tz database alone.
const zones = path.join(gen, 'zones.json')
const version = process.versions.tz
if (!fs.existsSync(zones) || JSON.parse(fs.readFileSync(zones, 'utf8')).version !== version) {
  write(zones, JSON.stringify({ version, ...zoneTables() }))
}
