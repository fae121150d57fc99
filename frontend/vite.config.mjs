import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export const root = import.meta.dirname
const at = (...parts) => path.join(root, ...parts)
const dependency = (file) => at('node_modules', file)

// The package's exports point at its development build, which is larger and slower.
export const routerProduction = [
  { find: /^react-router$/, replacement: dependency('react-router/dist/production/index.mjs') },
  { find: /^react-router\/dom$/, replacement: dependency('react-router/dist/production/dom-export.mjs') },
]
// Which links lead to a page of the app is known from the start, by react-router's own matching; the rest of it comes with the engine.
// A chunk holds a module whole, so the matching is taken from a copy of the module, of which nothing else is used.
const matchingAlone = {
  name: 'matching-alone',
  enforce: 'pre',
  resolveId(source, importer) {
    const copy = (file) => ({ id: `${file}?match`, moduleSideEffects: false })
    if (source === 'react-router/match') return copy(dependency('react-router/dist/production/index.mjs'))
    return importer?.endsWith('?match') && source.startsWith('./') ? copy(path.join(path.dirname(importer), source)) : null
  },
}
// Marks what has no effect but to make a component or a context, so that those which are not used are left out. The copy for
// matching has no component at all.
const routerUnused = {
  name: 'router-unused',
  enforce: 'pre',
  transform(code, id) {
    if (!/react-router[\\/]dist/.test(id)) return null
    return { code: code.replace(id.endsWith('?match') ? /^\w+\.(displayName|contextType) = .*;$/gm : /^\w+\.displayName = .*;$/gm, '').replace(/(?<= = )(?=React\d*\.(createContext|memo|forwardRef)\()/g, '/* @__PURE__ */ '), map: null }
  },
}
// Words are compiled when building, so no bundle carries the message parser.
const noMessageParser = {
  find: /^@formatjs\/icu-messageformat-parser$/,
  replacement: dependency('@formatjs/icu-messageformat-parser/no-parser.js'),
}

// Server and browser bundles must agree on these too.
const assetFileNames = 'assets/[name]-[hash:6][extname]'

const shared = {
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  css: {
    transformer: 'lightningcss',
    // Server and browser bundles must agree on class names: the hash is of the file's path alone.
    lightningcss: { cssModules: { pattern: '[local]_[hash]' } },
  },
}

/** What browsers load: one chunk a page and a language's words, hashed names, a manifest. */
export const clientConfig = () => ({
  ...shared,
  plugins: [matchingAlone, routerUnused, react()],
  resolve: { alias: [...routerProduction, noMessageParser] },
  build: {
    outDir: at('dist/client'),
    emptyOutDir: true,
    manifest: true,
    license: { fileName: '.vite/app-licenses.json' },
    assetsInlineLimit: 0,
    // What every page has loaded already is not named again in the list of what each page needs.
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter((file) => !/\/(vendor|style|rolldown-runtime)-[^/]*\.(js|css)$/.test(file)) },
    rolldownOptions: {
      input: at('src/entry.client.tsx'),
      // No library's module does anything when its properties are read or its components are wrapped.
      treeshake: { propertyReadSideEffects: false, manualPureFunctions: ['createFormattedComponent', 'createFormattedDateTimePartsComponent', 'React.createContext', 'React.memo'] },
      output: {
        // Names stand in the list of what each page needs, which the app carries: 42 bits tell versions of a file apart, 36 those of a style sheet.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames,
        // scripts/licenses.mjs writes the file.
        postBanner: (chunk) => (chunk.name === 'vendor' ? '/*! Licences: /assets/licenses.txt */' : ''),
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|react-intl|@formatjs|intl-messageformat)[\\/]/ },
            // Style stands between the reader and the first picture: what the shell and most pages need is one file, not ten.
            // So is that of what comes by itself later, save one sheet a popup: a sheet that overtakes another has the
            // browser take all fonts anew, and those that came too late would come in after all and move the text.
            {
              name: 'style',
              test: /src[\\/]((styles|app|gen)[\\/].*|blocks[\\/](header[\\/].*|footer|breadcrumbs|byline|card|card-rows|grid|headline|list-page|load-more|most-read|portrait|search-form|section|share|placeholders|to-top|video-row)|ui[\\/](button|dialog|foot|icon|picture|player|prose|prose-blocks|prose-embeds|scroller|toast|visually-hidden))(\.module)?\.css$/,
            },
            { name: 'offer', test: /src[\\/]pages[\\/]account[\\/](order|products|notice)\.module\.css$/ },
            { name: 'terms', test: /src[\\/](ui[\\/]disclosure(\.module)?\.(tsx|css)|pages[\\/]consent[\\/]terms\.module\.css)$/ },
            // Each file is a request, which costs a browser about 7 ms of processor time: modules that most pages of a kind need share one.
            // Calls are apart from fields: popups make calls, and would load the style sheet of the fields late.
            { name: 'calls', test: /node_modules[\\/]openapi-fetch[\\/]|src[\\/](api[\\/](client|codes)|app[\\/]use-submit)\.ts$/ },
            { name: 'passkeys', test: /src[\\/](api[\\/]passkeys|app[\\/]use-passkeys)\.ts$/ },
            // What nearly every page of the account is made of; discussions have fields too. All of their styles are one sheet; the
            // trap itself, which discussions do not have, comes with the form that asks for an email address.
            { name: 'field', test: /src[\\/]ui[\\/]((form-error|field|email-field|text-area)(\.module)?\.(tsx?|css)|trap\.module\.css)$/ },
            { name: 'form', test: /src[\\/](blocks[\\/]form-page|pages[\\/]account[\\/](account|legal|elsewhere|strong|back-to))(\.module)?\.(tsx?|css)$/ },
            { name: 'entrance', test: /src[\\/](pages[\\/]account[\\/]email-form|ui[\\/]trap)\.tsx$/ },
            // Every page for reading is made of these; a chunk for each would cost more than it spares.
            { name: 'reading', test: /src[\\/](blocks[\\/](card|card-meta|card-rows|headline|section|split-rows|most-read|share)|ui[\\/](picture|picture-roles)|app[\\/]use-today)\.tsx?$/ },
            { name: 'growing', test: /src[\\/](app[\\/](next-part|use-more|use-parts)|blocks[\\/](growing-list|load-more|placeholders|use-arrivals))\.tsx?$/ },
            { name: 'videos', test: /src[\\/](blocks[\\/](video-row|lightbox[\\/](claims|use-lightbox))|ui[\\/](scroller|use-edges))\.tsx?$/ },
            { name: 'text', test: /src[\\/](api[\\/]html|blocks[\\/]body|ui[\\/]prose)\.tsx?$/ },
            // With the cookie popup, which nearly every first visit loads.
            { name: 'popup-host', test: /src[\\/](app[\\/](popup-host|popups|reminder-day|save-consent|use-popup)|pages[\\/]consent[\\/]cookies|ui[\\/]foot)\.tsx?$/ },
            { name: 'panels', test: /src[\\/](app[\\/]use-search|blocks[\\/](search-form|header[\\/](menu-panel|panels|profile-panel|search-panel)))\.tsx?$/ },
          ],
        },
      },
    },
  },
})

/** The one script that documents name. By itself: nothing that it shared with the app may split the app's chunks. */
export const firstConfig = () => ({
  ...shared,
  build: {
    outDir: at('dist/client'),
    emptyOutDir: false,
    manifest: '.vite/first.json',
    license: { fileName: '.vite/first-licenses.json' },
    modulePreload: false,
    rolldownOptions: { input: at('src/entry.first.ts'), output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
})

const script = (entry, name, plugins, alias) => ({
  ...shared,
  plugins: [react(), ...plugins],
  resolve: { alias },
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: true,
    license: { fileName: `.vite/${name.replace('.js', '')}-licenses.json` },
    target: 'es2020',
    outDir: at('dist/server'),
    emptyOutDir: false,
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    minify: 'oxc',
    rolldownOptions: { input: at(entry), output: { format: 'iife', entryFileNames: name, assetFileNames, codeSplitting: false } },
  },
})

/** The bundle that the Go process runs: one classic script, no Node, no network, no timers. */
export const serverConfig = () =>
  script('src/entry.server.tsx', 'server.js', [matchingAlone, routerUnused], [
    // The legacy build renders to a string without MessageChannel, TextEncoder or streams.
    { find: /^react-dom\/server$/, replacement: dependency('react-dom/cjs/react-dom-server-legacy.browser.production.js') },
    ...routerProduction,
    noMessageParser,
  ])

/** What the engine lacks and the bundle needs: URL, Intl, console. */
export const preludeConfig = () => script('src/prelude/main.ts', 'prelude.js', [], [])

export default defineConfig(clientConfig())
