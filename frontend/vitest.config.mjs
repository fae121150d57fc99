import { availableParallelism } from 'node:os'
import fs from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { routerProduction } from './vite.config.mjs'

// Tests look for words as they are typed; where their lines may break is tested beside the rules.
const plainWords = {
  name: 'plain-words',
  enforce: 'pre',
  load(id) {
    if (!/\/gen\/messages\/[^/]+\/[^/]+\.json$/.test(id)) return null
    const { messages, ...rest } = JSON.parse(fs.readFileSync(id, 'utf8'))
    return JSON.stringify({ ...rest, messages: JSON.parse(JSON.stringify(messages).replaceAll('\u00a0', ' ').replaceAll('\u2011', '-')) })
  },
}

export default defineConfig({
  plugins: [react(), plainWords],
  // Matching is the router's own; only bundles have a copy of it.
  resolve: { alias: [...routerProduction, { ...routerProduction[0], find: /^react-router\/match$/ }] },
  test: {
    // One copy of the router for all its entries, as in the bundles.
    server: { deps: { inline: [/react-router/] } },
    // A worker a processor loads packages once for all its files; src/test/setup.ts keeps those apart.
    pool: 'threads',
    isolate: false,
    maxWorkers: availableParallelism(),
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'https://north.example/', settings: { navigation: { disableMainFrameNavigation: true } } } },
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    // Class names as they are written.
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
