import { describe, expect, test } from 'vitest'
import { editions, makeEdition } from '../test/editions.ts'
import { fillPath, findCategory, makeHref, queryString } from './href.ts'
import { messageLocale } from './locale.ts'

describe('fillPath', () => {
  test.each([
    ['/', {}, '/'],
    ['/category/:categorySlug', { categorySlug: 'politika' }, '/category/politika'],
    ['/search/:searchSlug', { searchSlug: 'čo ďalej/?' }, '/search/%C4%8Do%20%C4%8Falej%2F%3F'],
    ['/:articleId/:articleSlug', { articleId: 17, articleSlug: 'most' }, '/17/most'],
  ])('%s', (pattern, params, path) => {
    expect(fillPath(pattern, params)).toBe(path)
  })

  test('a missing or empty parameter is refused', () => {
    expect(() => fillPath('/author/:authorSlug', {})).toThrow('authorSlug')
    expect(() => fillPath('/author/:authorSlug', { authorSlug: '' })).toThrow('authorSlug')
  })
})

test('a query leaves out what is not set', () => {
  expect(queryString({ offset: 19, type: undefined, q: 'a&b' })).toBe('?offset=19&q=a%26b')
  expect(queryString({ type: undefined })).toBe('')
})

test('a route that the edition lacks leads home', () => {
  const href = makeHref(makeEdition({ paths: { front: '/', christmas: null } }))
  expect(href('christmas')).toBe('/')
})

test('each edition has its own addresses', () => {
  expect(makeHref(editions.sk)('topic', { tagSlug: 'voda' })).toBe('/tema/voda')
  expect(makeHref(editions.at)('topic', { tagSlug: 'voda' })).toBe('/topic/voda')
})

test('categories are found by slug, with their parent', () => {
  expect(findCategory(editions.sk.categories, 'politika')?.parent).toBeUndefined()
  expect(findCategory(editions.sk.categories, 'europa')?.parent?.key).toBe('politics')
  expect(findCategory(editions.sk.categories, 'vesmir')).toBeUndefined()
})

test.each([
  ['sk', 'sk-SK', 'sk'],
  ['de', 'de-AT', 'de-AT'],
  ['de', 'de-CH', 'de-CH'],
  ['de', 'de-DE', 'de'],
  ['en', 'de-AT', 'en'],
] as const)('the words of %s in %s are %s', (locale, intlLocale, words) => {
  expect(messageLocale({ locale, intlLocale })).toBe(words)
})
