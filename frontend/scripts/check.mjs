// Everything that can be said about the source without running it, then the size of what was built.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { frontend } from './paths.mjs'

const bin = (name, of = frontend) => path.join(of, 'node_modules/.bin', name)
// Three quarters of all packages are the linters': whoever builds and tests does without.
const lint = path.join(frontend, 'lint')
const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => fs.statSync(path.join(lint, file), { throwIfNoEntry: false })?.mtimeMs ?? 0)
const steps = [
  ...(installed < wanted ? [['packages of the linters', 'npm', ['ci'], lint]] : []),
  ['generate', 'node', ['scripts/gen.mjs']],
  ['types', bin('tsc'), ['--noEmit']],
  ['eslint', bin('eslint', lint), ['--config', 'lint/eslint.config.js', '.']],
  ['stylelint', bin('stylelint', lint), ['--config', 'lint/stylelint.config.js', 'src/**/*.css']],
  ['words', 'node', ['scripts/check-messages.mjs']],
  ['markdown', bin('markdownlint-cli2', lint), [], path.dirname(frontend)],
  ['budgets', 'node', ['scripts/check-budgets.mjs']],
]
if (!fs.existsSync(path.join(frontend, 'dist/client/preload.json'))) steps.splice(-1, 0, ['build', 'node', ['scripts/build.mjs']])

let failed = 0
for (const [name, command, args, cwd = frontend] of steps) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (status !== 0) failed++
}
console.log(`${steps.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
