import { expect, test } from 'vitest'
import { nextPart, sizes, withOffset } from './next-part.ts'

test('topics and authors come by 20, hits by 10', () => {
  expect(sizes).toEqual({ topics: 20, author: 20, search: 10 })
})

test.each([
  ['a full part with more behind it', 20, '/tema?offset=20&after=x', '/tema?offset=20&after=x'],
  ['a part shorter than it might be', 19, '/tema?offset=20&after=x', null],
  ['the last part', 20, undefined, null],
] as const)('%s', (_, count, next, url) => {
  expect(nextPart({ next, count, size: 20 })).toBe(url)
})

test.each([
  ['/search?q=a', '/search?q=a&offset=52'],
  ['/search/a?offset=52', '/search/a?offset=52'],
  ['/17/x?article_type=minuta&offset=10&status=ERROR#y', '/17/x?article_type=minuta&offset=52'],
])('%s keeps what else it asks for', (url, wanted) => {
  expect(withOffset(url, 52)).toBe(wanted)
})
