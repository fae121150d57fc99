import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeIntl } from '../i18n/intl.ts'
import { fixedSession } from '../session/session.ts'
import { makeEdition } from '../test/editions.ts'
import { makePage } from '../test/render.tsx'
import { createNavigation } from './browser-navigation.ts'
import { startEngine } from './engine.ts'
import { buildRoutes } from './route-objects.ts'

const answer = vi.fn<(url: string) => Promise<object>>()
const pageAt = (url: string) => makePage({}, { route: 'notFound', url })
const View = () => null
const soon = { timeout: 4000 } // a page's code is imported on the way
const listen = window.addEventListener.bind(window)
beforeEach(() => {
  // The app of one test does not follow the history of the next.
  const over = new AbortController()
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => listen(type, listener, { signal: over.signal }))
  onTestFinished(() => over.abort())
  answer.mockReset().mockImplementation(async (url) => pageAt(url))
  vi.stubGlobal('fetch', async (url: string) => Response.json(await answer(decodeURIComponent(url.split('url=')[1] ?? ''))))
})

/** The app at an address, with the real engine as soon as it is asked for. */
function open(url: string, state: unknown = null) {
  window.history.replaceState(state, '', url)
  const navigation = createNavigation(window, { page: pageAt(url), View }, async (host) => {
    const here = () => host.get().location.pathname + host.get().location.search
    return startEngine(host, buildRoutes(makeEdition()), { intl: makeIntl('sk', 'Europe/Bratislava', {}, { number: String }), locale: 'sk', session: fixedSession({ status: 'guest' }), isPage: () => true, here })
  })
  const arrived = (path: string) => vi.waitFor(() => expect([navigation.get().pending, navigation.get().loaded?.page.url, window.location.pathname + window.location.search]).toEqual([false, path, path]), soon)
  const address = () => navigation.get().location.pathname + navigation.get().location.search
  return { ...navigation, address, arrived }
}

describe('the engine', () => {
  test('goes on from the page that is shown, which it does not load again', async () => {
    const { prepare, navigate, get, arrived } = open('/17/most')
    const before = get()
    await prepare()
    expect(get()).toBe(before)
    navigate('/18/rieka')
    await arrived('/18/rieka')
    expect(answer.mock.calls).toEqual([['/18/rieka']])
    expect(get()).toMatchObject({ type: 'PUSH', error: undefined })
    expect(get().location.key).not.toBe('default')
  })

  test('says that a page is on its way', async () => {
    const { prepare, navigate, subscribe, arrived } = open('/17/most')
    await prepare()
    const seen: [boolean, string][] = []
    subscribe(({ pending, location }) => seen.push([pending, location.pathname]))
    navigate('/18/rieka')
    await arrived('/18/rieka')
    expect(seen[0]).toEqual([true, '/17/most'])
    expect(seen.at(-1)).toEqual([false, '/18/rieka'])
  })

  test('that comes after the browser has gone back loads that page', async () => {
    const { get, arrived } = open('/17/most', { usr: null, key: 'second', idx: 1 })
    window.history.replaceState({ usr: null, key: 'first', idx: 0 }, '', '/18/rieka')
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(get()).toMatchObject({ pending: true, location: { pathname: '/17/most' } })
    await arrived('/18/rieka')
    expect(get()).toMatchObject({ type: 'POP', location: { key: 'first' } })
    expect(answer.mock.calls).toEqual([['/18/rieka']])
  })

  test('keeps the page when that one cannot be had', async () => {
    const { get, address } = open('/17/most')
    answer.mockRejectedValue(new TypeError('Failed to fetch'))
    window.history.replaceState(null, '', '/18/rieka')
    window.dispatchEvent(new PopStateEvent('popstate'))
    await vi.waitFor(() => expect([get().pending, address()]).toEqual([false, '/17/most?status=CONNECTION_FAILED']), soon)
    expect(get().loaded?.page.url).toBe('/17/most')
    expect(answer.mock.calls).toEqual([['/18/rieka']])
  })
})

// What loads nothing is done without the engine (browser-navigation.ts): the same must come of it.
describe.each([
  ['a message', '/17/most?a=1', '/17/most?a=1&status=ERROR', {}],
  ['a message that goes', '/17/most?status=ERROR', '/17/most', { replace: true, preventScrollReset: true }],
  ['a video', '/17/most', '/17/most?video-komentar=5&data=2026-11-21', { state: { pushed: true } }],
  ['a place', '/17/most', '/17/most#x', {}],
  ['another place', '/17/most#y', '/17/most#x', {}],
  ['a message and a place', '/17/most#x', '/17/most?status=ERROR', {}],
])('%s in the address', (_, from, to, options) => {
  const go = async (early: boolean) => {
    const app = open(from, { usr: null, key: 'abc', idx: 4 })
    const { length } = window.history
    if (early) await app.prepare()
    app.navigate(to, options)
    await vi.waitFor(() => expect(window.location.pathname + window.location.search + window.location.hash).toBe(to), soon)
    const { location, ...rest } = app.get()
    const { key, idx, ...entry } = window.history.state as { key: string; idx: number }
    expect(location.key).toBe(key)
    expect(key).not.toBe('abc')
    expect(idx).toBeTypeOf('number')
    return { ...rest, location: { ...location, key: '', mask: undefined }, entry, added: window.history.length - length }
  }

  test('is the same before and after the engine has come', async () => {
    const { loaded: early, ...before } = await go(false)
    const { loaded: late, ...after } = await go(true)
    expect(before).toEqual(after)
    expect(early?.page.url).toBe(late?.page.url)
    expect(answer).not.toHaveBeenCalled()
  })
})
