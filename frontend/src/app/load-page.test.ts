import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LoaderFunctionArgs } from 'react-router'
import { fetchPage } from '../api/page.ts'
import { makeIntl } from '../i18n/intl.ts'
import { fixedSession, type Session } from '../session/session.ts'
import { makePage, makeReader } from '../test/render.tsx'
import { makeLoader, type Loading } from './load-page.ts'
import type { LoadedPage } from './page-module.ts'

const setup = (answer: unknown, { session = { status: 'guest' } as Session, status = 200, type = 'application/json' } = {}) => {
  const fetch = vi.fn<(url: string) => Promise<Response>>(async () => new Response(JSON.stringify(answer), { status, headers: { 'content-type': type } }))
  vi.stubGlobal('fetch', fetch)
  const intl = makeIntl('sk', 'Europe/Bratislava', {}, { number: String })
  const loading: Loading = { intl, locale: 'sk', session: fixedSession(session), isPage: (pathname) => !pathname.startsWith('/_'), here: () => '/17/most?offset=19' }
  const load = (url: string, route: Parameters<typeof makeLoader>[0] = 'front') =>
    makeLoader(route, loading)({ request: new Request(`https://north.example${url}`), params: {}, context: {} } as unknown as LoaderFunctionArgs)
  return { load, fetch, intl }
}

afterEach(() => vi.unstubAllGlobals())

describe('loading a page', () => {
  test('asks the server for path and query, and brings code and words', async () => {
    const page = makePage({}, { route: 'front' })
    const { load, fetch } = setup(page)
    const loaded = (await load('/?offset=19#x')) as LoadedPage
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/page?url=%2F%3Foffset%3D19')
    expect(loaded.page).toEqual(page)
    expect(loaded.View).toBeTypeOf('function')
  })

  test('shows what the server answers, not what the address looks like', async () => {
    const { load } = setup(makePage({}, { route: 'notFound', status: 404 }), { status: 404 })
    const notFound = await import('../pages/not-found/not-found.page.tsx')
    expect(((await load('/17/most', 'article')) as LoadedPage).View).toBe(notFound.Page)
  })

  test('shows the not-found page for a route that this app has not', async () => {
    const { load } = setup(makePage({}, { route: 'articleId' }))
    const notFound = await import('../pages/not-found/not-found.page.tsx')
    expect(((await load('/383574')) as LoadedPage).View).toBe(notFound.Page)
  })

  test.each([
    ['/17/most', null],
    ['/_dev/checkout', 'true'],
    ['https://other.example/pay', 'true'],
  ])('follows the server to %s', async (to, reload) => {
    const { load } = setup({ redirect: to, status: 302 })
    const response = (await load('/')) as Response
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toContain(to)
    expect(response.headers.get('x-remix-reload-document')).toBe(reload)
  })

  test('sends a reader home from a page for guests without asking the server', async () => {
    const { load, fetch } = setup(makePage({}), { session: makeReader() })
    const response = (await load('/account/login?status=ERROR', 'login')) as Response
    expect(response.headers.get('location')).toBe('/?status=ERROR')
    expect(fetch).not.toHaveBeenCalled()
  })

  test.each([
    ['a refusal', { success: false, error: 'ERROR' }, 500, 'application/json', 'ERROR'],
    ['a server with too much to do', { success: false, error: 'OVERLOADED' }, 503, 'application/json', 'OVERLOADED'],
    ['a code that nobody knows', { success: false, error: 'NEW' }, 500, 'application/json', 'ERROR'],
    ['something else than JSON', 'oops', 502, 'text/html', 'ERROR'],
  ])('keeps the page that is shown on %s, and says so', async (_, answer, status, type, code) => {
    const { load } = setup(answer, { status, type })
    await expect(fetchPage('/')).rejects.toMatchObject({ status, code })
    expect(((await load('/')) as Response).headers.get('location')).toBe(`/17/most?offset=19&status=${code}`)
  })

  test('keeps the page without a connection, and leaves to the router what it has called off', async () => {
    const { load } = setup(null)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(fetchPage('/')).rejects.toMatchObject({ status: 0, code: 'CONNECTION_FAILED' })
    expect(((await load('/')) as Response).headers.get('location')).toBe('/17/most?offset=19&status=CONNECTION_FAILED')
    const over = new AbortController()
    over.abort()
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => Promise.reject(signal!.reason as Error))
    await expect(fetchPage('/', over.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
