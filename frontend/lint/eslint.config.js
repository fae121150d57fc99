import fs from 'node:fs'
import js from '@eslint/js'
import importPlugin from 'eslint-plugin-import'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

const noReact = { name: 'react', message: 'api, session and editions are plain TypeScript; hooks go into use-….ts.' }

const syntax = [
  {
    selector: 'JSXAttribute[name.name="href"] > Literal[value=/^(?!#)/], JSXAttribute[name.name="to"] > Literal',
    message: 'Addresses come from the data or from href(), so that every edition has its own.',
  },
  {
    selector: 'CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/], NewExpression[callee.object.name="Intl"]',
    message: 'Use useSite().format: it prints the same on the server and in every browser.',
  },
]
const inlineStyle = { selector: 'JSXAttribute[name.name="style"]', message: 'The page’s security policy blocks inline styles: use a class.' }
const rawHtml = { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'ui/prose.tsx is the only place that takes HTML.' }

export default tseslint.config(
  { ignores: ['dist', 'src/gen', 'src/api/schema.gen.ts', 'node_modules'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  jsxA11y.flatConfigs.strict,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { import: importPlugin, 'react-hooks': reactHooks },
    languageOptions: { globals: globals.browser },
    settings: {
      'import/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js', '.json'] } },
    },
    rules: {
      'max-lines': ['error', 250],
      'no-restricted-syntax': ['error', ...syntax, inlineStyle, rawHtml],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'react-intl', allowImportNames: ['FormattedMessage'], message: 'Words are useT() and <FormattedMessage>; dates and numbers are useSite().format.' }] },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: ['react-router', 'react-router/dom'].map((name) => ({ name, allowTypeImports: true, message: 'It comes with app/engine.ts at the first navigation: read and navigate through app/navigation.tsx.' })) },
      ],
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'jsx-a11y/aria-role': ['error', { ignoreNonDOM: true }],
      'import/no-cycle': 'error',
      'import/no-duplicates': ['error', { 'prefer-inline': true }],
      'import/no-default-export': 'error',
      'import/no-restricted-paths': [
        'error',
        {
          zones: [
            { target: './src/ui', from: ['./src/blocks', './src/pages', './src/app', './src/session'], message: 'ui knows nothing of the domain.' },
            { target: './src/blocks', from: './src/pages', message: 'Blocks are used by pages, not the other way round.' },
            { target: ['./src/api', './src/session', './src/editions', './src/i18n'], from: ['./src/ui', './src/blocks', './src/pages', './src/app'] },
            ...fs.readdirSync(new URL('../src/pages', import.meta.url)).map((family) => ({
              target: `./src/pages/${family}`,
              from: './src/pages',
              except: [`./${family}`],
              message: 'Families of pages do not import each other: share through blocks.',
            })),
          ],
        },
      ],
    },
  },
  {
    files: ['src/{api,session,editions}/**/*.ts'],
    ignores: ['src/**/use-*.ts', 'src/**/*.test.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [noReact, { ...noReact, name: 'react-router' }] }] },
  },
  // The stand-in for Intl, the formats made from it, and the one sink for HTML.
  { files: ['src/i18n/wall-clock.ts', 'src/prelude/**', 'src/**/*.test.{ts,tsx}'], rules: { 'no-restricted-syntax': 'off' } },
  // What comes with the engine, and the name of what of the router does not.
  { files: ['src/app/{engine,load-page,react-router-match.d}.ts', 'src/test/**', 'src/**/*.test.{ts,tsx}'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
  { files: ['src/ui/prose.tsx'], rules: { 'no-restricted-syntax': ['error', ...syntax, inlineStyle] } },
  { files: ['src/i18n/**', 'src/app/app.tsx'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['src/test/**', 'src/**/*.test.{ts,tsx}'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['apiviewer/**'], languageOptions: { globals: globals.browser } },
  { files: ['*.{js,mjs,ts}', '{lint,scripts}/**'], languageOptions: { globals: globals.node } },
)
