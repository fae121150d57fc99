// Copies the viewer of the HTTP API to dist/api. `broadsheet dev` alone hands it out.
import fs from 'node:fs'
import path from 'node:path'
import { frontend } from './paths.mjs'

export function writeAPIViewer() {
  const to = path.join(frontend, 'dist/api')
  fs.rmSync(to, { recursive: true, force: true })
  fs.cpSync(path.join(frontend, 'apiviewer'), to, { recursive: true })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
    fs.copyFileSync(path.join(frontend, 'node_modules/swagger-ui-dist', name), path.join(to, name))
  }
}
