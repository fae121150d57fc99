import { expect, test } from 'vitest'
import { splitRows } from './split-rows.ts'

const sizes = (count: number, first?: 3 | 4) => splitRows(Array.from({ length: count }, (_, index) => index), first).map((row) => row.length)

test.each([
  [0, []],
  [1, [1]],
  [2, [2]],
  [3, [3]],
  [4, [4]],
  [5, [3, 2]],
  [6, [3, 3]],
  [7, [4, 3]],
  [8, [4, 4]],
  [9, [3, 3, 3]],
  [11, [4, 3, 4]],
])('%i cards make rows of %j', (count, rows) => {
  expect(sizes(count)).toEqual(rows)
})

test('a list may begin with three', () => {
  expect(sizes(7, 3)).toEqual([3, 4])
})

test('from six on, every row has three or four, and nothing is lost or moved', () => {
  for (let count = 6; count < 60; count++) {
    for (const first of [3, 4] as const) {
      expect(sizes(count, first).every((size) => size === 3 || size === 4)).toBe(true)
      const items = Array.from({ length: count }, (_, index) => index)
      expect(splitRows(items, first).flat()).toEqual(items)
    }
  }
})
