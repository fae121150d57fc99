// Follows docs/recipes.md word by word, as it is committed: makes a clone for each recipe that is complete, types its blocks
// where they belong, and runs its commands. node .ci/recipes.mjs [name of one, such as a-page]
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const project = path.resolve(import.meta.dirname, '..')
const slug = (title) => title.toLowerCase().replaceAll(' ', '-')

/** The recipes: a title, and the blocks with the words before each. */
function recipes(text) {
  return text.split(/^## /m).slice(1).map((section) => {
    const [title, ...rest] = section.split('\n')
    const parts = rest.join('\n').split(/^```(.*)$/m) // words, language, block, '', words, …
    const blocks = []
    for (let i = 0; i + 2 < parts.length; i += 4) blocks.push({ words: parts[i].replaceAll(/\s+/g, ' ').trim(), language: parts[i + 1], code: parts[i + 2].slice(1) })
    return { title, blocks }
  })
}

/** Types a block into the file that the words name. */
function type(root, { words, code }, last) {
  const fresh = words.match(/New file `([^`]+)`:$/)
  if (fresh) {
    const file = path.join(root, fresh[1])
    if (existsSync(file)) throw new Error(`${fresh[1]} is there already`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, code)
    return fresh[1]
  }
  const place = words.match(/^(.*)\b(below|above|in place of)( the line)? `([^`]+)`:$/)
  if (!place) throw new Error(`where does it belong? "${words.slice(-160)}"`)
  const [, before, how, line, anchor] = place
  const name = [...before.matchAll(/`([^`]+)`/g)].map((m) => m[1]).filter((one) => one.includes('/') && existsSync(path.join(root, one))).at(-1) ?? last
  if (!name) throw new Error(`into which file? "${words.slice(-160)}"`)
  const file = path.join(root, name)
  const lines = readFileSync(file, 'utf8').split('\n')
  const at = lines.findIndex((one) => one.replaceAll(/\s+/g, ' ').includes(anchor.replaceAll(/\s+/g, ' ')))
  if (at < 0) throw new Error(`${name} has no line with ${anchor}`)
  const block = code.replace(/\n$/, '')
  if (how === 'below') lines.splice(at + 1, 0, block)
  else if (how === 'above') lines.splice(at, 0, block)
  else if (line) lines[at] = block
  else lines[at] = lines[at].replace(anchor, () => block.trim())
  writeFileSync(file, lines.join('\n'))
  return name
}

function follow({ title, blocks }) {
  const root = mkdtempSync(path.join(tmpdir(), 'broadsheet-recipe-'))
  try {
    execFileSync('git', ['clone', '-q', project, root])
    // What a developer has before the first recipe: the frontend's packages and the linter.
    for (const one of ['frontend/node_modules', 'frontend/lint/node_modules', 'frontend/dist', 'bin']) if (existsSync(path.join(project, one))) cpSync(path.join(project, one), path.join(root, one), { recursive: true, verbatimSymlinks: true })
    execFileSync('make', ['-s', 'frontend/dist/.built', 'tools'], { cwd: root, stdio: 'inherit' })
    let last
    for (const block of blocks) {
      if (block.language !== 'sh') {
        last = type(root, block, last)
        continue
      }
      for (const command of block.code.trim().split('\n')) {
        console.log(`$ ${command}`)
        const { status } = spawnSync('bash', ['-c', command], { cwd: root, stdio: 'inherit' })
        if (status !== 0) throw new Error(`"${command}" ended with ${status}`)
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const all = recipes(execFileSync('git', ['show', 'HEAD:docs/recipes.md'], { cwd: project, encoding: 'utf8' })).filter(({ blocks }) => blocks.some(({ language }) => language === 'sh'))
const asked = process.argv[2]
const chosen = all.filter(({ title }) => !asked || slug(title) === asked)
if (chosen.length === 0) {
  console.error(`no recipe is called ${asked}: there are ${all.map(({ title }) => slug(title)).join(', ')}`)
  process.exit(2)
}
let broken = false
for (const recipe of chosen) {
  console.log(`== ${recipe.title}`)
  try {
    follow(recipe)
    console.log(`== ${recipe.title}: it works`)
  } catch (error) {
    broken = true
    console.error(`== ${recipe.title}: ${error.message}`)
  }
}
process.exit(broken ? 1 : 0)
