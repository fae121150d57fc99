// Builds all that the Go binary embeds: dist/client for browsers, dist/server for the renderer, dist/api for developers.
import fs from 'node:fs'
import { build } from 'vite'
import { clientConfig, firstConfig, preludeConfig, serverConfig, root } from '../vite.config.mjs'
import { writeAPIViewer } from './apiviewer.mjs'
import { writeBrand } from './brand.mjs'
import { writeLicenses } from './licenses.mjs'
import { writePreload } from './preload.mjs'

// gen runs modules through Vite, which would otherwise make this a development build.
process.env.NODE_ENV = 'production'
await import('./gen.mjs')
fs.rmSync(`${root}/dist/server`, { recursive: true, force: true })
await build(clientConfig())
await build(firstConfig())
await build(serverConfig())
await build(preludeConfig())
// Assets that only the browser fetches are emitted by the client build.
fs.rmSync(`${root}/dist/server/assets`, { recursive: true, force: true })
await writePreload()
await writeBrand()
writeAPIViewer()
writeLicenses()
