import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import postcss, { type Declaration, type Node } from 'postcss'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '..')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css') && !name.startsWith('gen'))

/** Whether some rule around it asks what the reader prefers. */
const within = (node: Node | undefined, preference: string): boolean =>
  node !== undefined && ((node.type === 'atrule' && 'params' in node && String(node.params).includes(`prefers-reduced-motion: ${preference}`)) || within(node.parent as Node | undefined, preference))

/** Whether the same rule takes it back, or makes it one step, for readers who want less motion. */
const takenBack = ({ parent }: Declaration): boolean => {
  let found = false
  parent?.walkDecls(/^animation/, (other) => {
    if (within(other, 'reduce') && /none|steps\(1\)/.test(other.value)) found = true
  })
  return found
}

const still = (declaration: Declaration) =>
  within(declaration, 'no-preference') || within(declaration, 'reduce') || /none|steps\(1\)|var\(--quick\)/.test(declaration.value) || takenBack(declaration)

test.each(files)('%s moves nothing for readers who want less motion', (name) => {
  const moving: string[] = []
  postcss.parse(readFileSync(path.join(src, name), 'utf8')).walkDecls(/^(transition|animation|scroll-behavior)$/, (declaration) => {
    if (!still(declaration)) moving.push(`${declaration.prop}: ${declaration.value}`)
  })
  expect(moving).toEqual([])
})

test('there is motion to look at', () => {
  expect(files.filter((name) => /\b(transition|animation):/.test(readFileSync(path.join(src, name), 'utf8'))).length).toBeGreaterThan(5)
})
