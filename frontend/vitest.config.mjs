import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { routerProduction } from './vite.config.mjs'

export default defineConfig({
  plugins: [react()],
  resolve: { alias: routerProduction },
  test: {
    // One copy of the router for all its entries, as in the bundles.
    server: { deps: { inline: [/react-router/] } },
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
