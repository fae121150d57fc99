import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '..')

test('every style sheet can be read at once', () => {
  const sheets = fs.readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(50)
  const long = sheets.map((name) => ({ name, lines: fs.readFileSync(path.join(src, name), 'utf8').split('\n').length - 1 })).filter(({ lines }) => lines > 250)
  expect(long, 'style sheets of more than 250 lines').toEqual([])
})
