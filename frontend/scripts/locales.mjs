import fs from 'node:fs'
import path from 'node:path'
import { locales, readJSON } from './paths.mjs'

/** Languages with their own words. */
export const languages = ['sk', 'de', 'en']
/** Regional overlays of a language: a few ids that differ. */
export const overlays = { 'de-AT': 'de', 'de-CH': 'de' }
/** Every locale that the bundles know. */
export const allLocales = [...languages, ...Object.keys(overlays)]

/** The areas of a language: { core: { id: text }, article: … }, one file each. */
export function readLanguage(language) {
  const folder = path.join(locales, language, 'web')
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.json')).sort()
  return Object.fromEntries(files.map((name) => [path.basename(name, '.json'), readJSON(path.join(folder, name))]))
}

/** The words of an overlay: { id: text } over all areas. */
export function readOverlay(locale) {
  const file = path.join(locales, locale, 'web.json')
  return fs.existsSync(file) ? readJSON(file) : {}
}

/** A locale's areas with its overlay applied. */
export function readLocale(locale) {
  const base = overlays[locale]
  if (!base) return readLanguage(locale)
  const overlay = readOverlay(locale)
  const areas = readLanguage(base)
  for (const words of Object.values(areas)) for (const id of Object.keys(words)) if (id in overlay) words[id] = overlay[id]
  return areas
}
