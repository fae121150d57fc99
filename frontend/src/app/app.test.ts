import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AvailableRoute } from '../editions/available.ts'
import { pageAreas } from '../editions/page-areas.gen.ts'
import type { PublicEdition, RouteId } from '../editions/types.ts'
import { fillPath } from '../editions/href.ts'
import { editions, makeEdition } from '../test/editions.ts'
import { makeReader } from '../test/render.tsx'
import { findRoot, readBootstrap } from './bootstrap.ts'
import { guard } from './guards.ts'
import { buildRoutes, routeOf } from './route-objects.ts'
import { statusOf, withoutStatus, withStatus } from './status.ts'

afterEach(() => {
  document.body.innerHTML = ''
})

const example = (id: RouteId, edition: PublicEdition) =>
  fillPath(edition.paths[id] ?? '', { categorySlug: 'politika', categoryId: 3, articleId: 17, articleSlug: 'most', tagSlug: 'voda', authorSlug: 'hana', authorId: 4, searchSlug: 'x', invoiceId: 9, discussionSlug: 'comment-17', step: 'settings', saleStep: 'gift' })

describe.each(Object.values(editions))('the routes of $id', (edition) => {
  const routes = buildRoutes(edition)

  test.each(Object.keys(pageAreas) as AvailableRoute[])('%s is found at its own address', (id) => {
    expect(routeOf(routes, example(id, edition))).toBe(id)
  })

  test('an address without a page is not found', () => {
    expect(routeOf(routes, '/nowhere')).toBe('notFound')
  })

  test.each(['/%0a', '/nowhere%0D', '/a/b/c/%E2%80%A8'])('nothing is at %s, which has a break of lines', (path) => {
    expect(routeOf(routes, path)).toBe('notFound')
  })

  test('an article has a number', () => {
    expect(routeOf(routes, '/17/most')).toBe('article')
    expect(routeOf(routes, '/img/most')).toBe('notFound')
  })
})

test('an edition without paths has the not-found page alone', () => {
  expect(buildRoutes(makeEdition({ paths: {} })).map(({ id }) => id)).toEqual(['notFound'])
})

describe('status', () => {
  test.each([
    ['/?status=INVALID_CODE', { code: 'INVALID_CODE', kind: 'error' }],
    ['/x?a=1&status=EMAIL_SENT#y', { code: 'EMAIL_SENT', kind: 'success' }],
    ['/?status=LOGIN_DESCRIPTION', { code: 'LOGIN_DESCRIPTION', kind: 'success' }],
    ['/?status=NOBODY_KNOWS', { code: 'NOBODY_KNOWS', kind: 'error' }],
    ['/?status=toString', null],
    ['/?mystatus=INVALID_CODE', null],
    ['/?status=', null],
    ['/', null],
  ])('%s', (url, status) => {
    expect(statusOf(url)).toEqual(status)
  })

  test('is put into an address and taken out again', () => {
    expect(withStatus('/x?a=1&status=ERROR#y', 'INVALID_CODE')).toBe('/x?a=1&status=INVALID_CODE#y')
    expect(withoutStatus('/x?a=1&status=ERROR#y')).toBe('/x?a=1#y')
    expect(withoutStatus('/x?status=ERROR')).toBe('/x')
  })
})

describe('guards', () => {
  const guest = { status: 'guest' } as const
  const unknown = { status: 'unknown' } as const
  test.each([
    ['login', makeReader(), '/?status=ERROR'],
    ['login', guest, null],
    ['login', unknown, null],
    ['profile', guest, null],
    ['profile', makeReader(), null],
    ['profile', unknown, null],
    ['front', guest, null],
    ['front', makeReader(), null],
  ] as const)('%s for %o', (route, session, to) => {
    expect(guard(route, session, '?status=ERROR')).toBe(to)
  })
})

describe('the document', () => {
  test('without #app the start fails', () => {
    expect(() => findRoot(document)).toThrow('Root element #app not found in DOM')
  })

  test('without a readable bootstrap the start fails', () => {
    expect(() => readBootstrap(document)).toThrow('#bootstrap not found')
    document.body.innerHTML = '<script type="application/json" id="bootstrap">{"page":{}}</script>'
    expect(() => readBootstrap(document)).toThrow('lacks the edition or the page')
  })
})

test('an error is reported a few times a visit, not more', async () => {
  const beacon = vi.fn<(url: string, body: Blob) => boolean>(() => true)
  vi.stubGlobal('navigator', { sendBeacon: beacon })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { reportError } = await import('./report.ts')
  for (let i = 0; i < 9; i++) reportError(new Error(`broken ${i}`), 'test')
  expect(beacon).toHaveBeenCalledTimes(5)
  const body = JSON.parse(await beacon.mock.calls[0]![1].text())
  expect(body.data).toMatchObject({ message: 'broken 0', where: 'test' })
})
