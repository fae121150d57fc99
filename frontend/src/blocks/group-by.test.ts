import { expect, test } from 'vitest'
import { groupBy } from './group-by.ts'

const at = (...dates: string[]) => dates.map((date) => ({ date }))

test('a list falls into its days, in its order, and knows the place of each', () => {
  const days = groupBy(at('2026-03-02T20:00:00Z', '2026-03-02T08:00:00Z', '2026-03-01T22:00:00Z'), (date) => date.slice(0, 10))
  expect(days.map(({ name, items }) => [name, items.map(({ index }) => index)])).toEqual([
    ['2026-03-02', [0, 1]],
    ['2026-03-01', [2]],
  ])
})

test('the name decides, not the day of the sender', () => {
  expect(groupBy(at('2026-01-01T00:30:00Z', '2025-12-31T23:30:00Z'), () => '2026')).toHaveLength(1)
})

test('nothing falls into nothing', () => {
  expect(groupBy([], String)).toEqual([])
})
