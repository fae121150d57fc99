import fs from 'node:fs'
import path from 'node:path'
import { runnerImport } from 'vite'

export const frontend = path.resolve(import.meta.dirname, '..')
export const locales = path.resolve(frontend, '../locales')
export const gen = path.join(frontend, 'src/gen')
export const openapi = path.resolve(frontend, '../platform/web/openapi.yaml')

/** Writes only what changed, so that watchers and caches stay quiet. */
export function write(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  if (fs.existsSync(file) && fs.readFileSync(file).equals(Buffer.from(content))) return
  fs.writeFileSync(file, content)
}

export const readJSON = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))

/** The table of pages, and the words of what is fetched later. */
export const readPages = async () => (await runnerImport(path.join(frontend, 'src/editions/routes.ts'))).module
