import { beforeEach, describe, expect, test, vi } from 'vitest'
import { makePage } from '../test/render.tsx'
import { createNavigation, type BrowserNavigation, type Engine, type EngineHost } from './browser-navigation.ts'

const first = { page: makePage({}, { url: '/17/most' }), View: () => null }
const engine = { navigate: vi.fn<Engine['navigate']>(), pop: vi.fn<Engine['pop']>() }
const load = vi.fn<(host: EngineHost) => Promise<Engine>>()

/** As much of a window as navigations touch. */
function makeWindow(url: string, state: unknown) {
  const navigator = { onLine: true }
  const location = Object.assign(new URL(url, 'https://north.example'), { assign: vi.fn(), replace: vi.fn(), reload: vi.fn() })
  const entries: string[] = []
  const enter = (kind: string) => (entry: unknown, _: string, to: string) => {
    history.state = entry
    location.href = new URL(to, location.href).href
    entries.push(`${kind} ${to}`)
  }
  const history = { state, go: vi.fn(), pushState: enter('push'), replaceState: enter('replace') }
  return Object.assign(new EventTarget(), { navigator, location, history, entries })
}

let window: ReturnType<typeof makeWindow>
let navigation: BrowserNavigation

const begin = (url = '/17/most', state: unknown = null) => {
  window = makeWindow(url, state)
  navigation = createNavigation(window as unknown as Window, first, load)
}
/** The browser has gone to another entry. */
const pop = (url: string, state: unknown = null) => {
  window.history.state = state
  window.location.href = new URL(url, window.location.href).href
  window.dispatchEvent(new Event('popstate'))
}
/** An engine that comes, or does not, when the test says so. */
const slowly = () => {
  let arrive: () => void = () => undefined
  let fail = arrive
  load.mockImplementationOnce(
    () =>
      new Promise((resolve, reject) => {
        arrive = () => resolve(engine)
        fail = () => reject(new Error('404'))
      }),
  )
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  return { arrive: () => (arrive(), settled()), fail: () => (fail(), settled()) }
}
const address = () => {
  const { pathname, search, hash } = navigation.get().location
  return pathname + search + hash
}

beforeEach(() => {
  load.mockReset().mockResolvedValue(engine)
  engine.navigate.mockReset()
  engine.pop.mockReset()
  begin()
})

describe('the first view', () => {
  test('shows the page and its entry of the history, and fetches nothing', () => {
    begin('/17/most?a=1#b')
    expect(navigation.get()).toEqual({ location: { pathname: '/17/most', search: '?a=1', hash: '#b', state: null, key: 'default' }, type: 'POP', pending: false, loaded: first, error: undefined })
    begin('/17/most', { usr: { pushed: true }, key: 'abc', idx: 2 })
    expect(navigation.get().location).toMatchObject({ state: { pushed: true }, key: 'abc' })
    expect(load).not.toHaveBeenCalled()
  })
})

describe('a click before the engine is here', () => {
  test('is held, is pending meanwhile, and then goes where it was to go', async () => {
    const seen: boolean[] = []
    navigation.subscribe(({ pending }) => seen.push(pending))
    const { arrive } = slowly()
    navigation.navigate('/18/rieka', { state: 1 })
    expect(navigation.get()).toMatchObject({ pending: true, loaded: first })
    expect(engine.navigate).not.toHaveBeenCalled()
    await arrive()
    expect(engine.navigate.mock.calls).toEqual([['/18/rieka', { state: 1 }]])
    expect(seen).toEqual([true]) // from here on the engine says
    expect(window.location.assign).not.toHaveBeenCalled()
  })

  test('gives way to the next one', async () => {
    const { arrive } = slowly()
    navigation.navigate('/18/rieka')
    navigation.navigate('/19/les')
    await arrive()
    expect(engine.navigate.mock.calls.map(([to]) => to)).toEqual(['/19/les'])
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('becomes a load when the engine cannot be had, and the next one asks for it again', async () => {
    const { fail } = slowly()
    navigation.navigate('/18/rieka#x')
    await fail()
    expect(window.location.assign.mock.calls).toEqual([['/18/rieka#x']])
    expect(navigation.get().pending).toBe(false)
    navigation.navigate('/19/les')
    await vi.waitFor(() => expect(engine.navigate).toHaveBeenCalledWith('/19/les', {}))
    expect(window.location.assign).toHaveBeenCalledTimes(1)
  })

  test('that replaces the entry becomes a load that does', async () => {
    const { fail } = slowly()
    navigation.navigate('/18/rieka', { replace: true })
    await fail()
    expect(window.location.replace.mock.calls).toEqual([['/18/rieka']])
    expect(window.location.assign).not.toHaveBeenCalled()
  })

  test('leaves the page as it is without a connection, and says so, however often', async () => {
    window.navigator.onLine = false
    for (let time = 0; time < 2; time++) {
      navigation.navigate('/18/rieka')
      await vi.waitFor(() => expect(navigation.get().pending).toBe(false))
      expect(address()).toBe('/17/most?status=CONNECTION_FAILED')
    }
    expect(window.entries).toEqual(['push /17/most?status=CONNECTION_FAILED', 'replace /17/most?status=CONNECTION_FAILED'])
    expect(load).not.toHaveBeenCalled()
    expect(window.location.assign).not.toHaveBeenCalled()

    window.navigator.onLine = true
    navigation.navigate('/18/rieka')
    await vi.waitFor(() => expect(engine.navigate).toHaveBeenCalledWith('/18/rieka', {}))
  })
})

describe('what loads nothing needs no engine', () => {
  test('a message that goes', () => {
    begin('/17/most?offset=19&status=ERROR', { usr: null, key: 'abc', idx: 3 })
    navigation.navigate('/17/most?offset=19', { replace: true, preventScrollReset: true })
    expect(window.entries).toEqual(['replace /17/most?offset=19'])
    expect(navigation.get()).toMatchObject({ type: 'REPLACE', location: { search: '?offset=19', state: null } })
    expect(window.history.state).toMatchObject({ key: navigation.get().location.key, idx: 3 })
    expect(navigation.get().location.key).not.toBe('abc')
    expect(load).not.toHaveBeenCalled()
  })

  test('a video that opens, and the way back', () => {
    navigation.navigate('/17/most?video-komentar=5', { state: { pushed: true } })
    expect(navigation.get()).toMatchObject({ type: 'PUSH', location: { search: '?video-komentar=5', state: { pushed: true } } })
    expect(window.history.state).toMatchObject({ usr: { pushed: true } })
    navigation.navigate(-1)
    expect(window.history.go.mock.calls).toEqual([[-1]])
    pop('/17/most')
    expect(navigation.get()).toMatchObject({ type: 'POP', location: { search: '', key: 'default' } })
    expect(load).not.toHaveBeenCalled()
  })

  test('takes the place of what waits', async () => {
    const { arrive } = slowly()
    navigation.navigate('/18/rieka')
    navigation.navigate('/17/most?status=ERROR')
    expect(navigation.get().pending).toBe(false)
    await arrive()
    expect(engine.navigate).not.toHaveBeenCalled()
  })

  test('but the same address asks for its page anew', async () => {
    navigation.navigate('/17/most')
    await vi.waitFor(() => expect(engine.navigate).toHaveBeenCalledWith('/17/most', {}))
    begin('/17/most#content')
    engine.navigate.mockReset()
    navigation.navigate('/17/most')
    await vi.waitFor(() => expect(engine.navigate).toHaveBeenCalledWith('/17/most', {}))
  })
})

describe('back and forward before the engine is here', () => {
  test('to a place in the page stay with the browser', () => {
    pop('/17/most#content')
    expect(address()).toBe('/17/most#content')
    expect(navigation.get()).toMatchObject({ type: 'POP', pending: false })
    expect(load).not.toHaveBeenCalled()
  })

  test('to another page wait for it', async () => {
    const { arrive } = slowly()
    pop('/18/rieka', { usr: null, key: 'abc' })
    expect(navigation.get()).toMatchObject({ pending: true, location: { pathname: '/17/most' } })
    await arrive()
    expect(engine.pop).toHaveBeenCalledTimes(1)
    expect(window.location.reload).not.toHaveBeenCalled()
  })

  test('load the page when the engine cannot be had', async () => {
    const { fail } = slowly()
    pop('/18/rieka')
    await fail()
    expect(window.location.reload).toHaveBeenCalledTimes(1)
    expect(engine.pop).not.toHaveBeenCalled()
  })

  test('leave the page as it is without a connection', async () => {
    window.navigator.onLine = false
    pop('/18/rieka')
    await vi.waitFor(() => expect(address()).toBe('/17/most?status=CONNECTION_FAILED'))
    expect(window.location.reload).not.toHaveBeenCalled()
  })

  test('give way to a click', async () => {
    const { arrive } = slowly()
    pop('/18/rieka')
    navigation.navigate('/19/les')
    await arrive()
    expect(engine.pop).not.toHaveBeenCalled()
    expect(engine.navigate.mock.calls.map(([to]) => to)).toEqual(['/19/les'])
  })
})

describe('once the engine is here', () => {
  test('all is its own, and what it says is what is shown', async () => {
    await navigation.prepare()
    await navigation.prepare()
    expect(load).toHaveBeenCalledTimes(1)
    navigation.navigate('/17/most?status=ERROR')
    expect(engine.navigate).toHaveBeenCalledWith('/17/most?status=ERROR', {})
    expect(window.entries).toEqual([])
    pop('/17/most#x')
    expect(address()).toBe('/17/most')

    const seen = vi.fn<() => void>()
    const leave = navigation.subscribe(seen)
    const { publish } = load.mock.calls[0]![0]
    publish({ ...navigation.get(), pending: true })
    expect(navigation.get().pending).toBe(true)
    leave()
    publish({ ...navigation.get(), pending: false })
    expect(seen).toHaveBeenCalledTimes(1)
  })

  test('one that cannot be had ahead of need is no error for the reader', async () => {
    const { fail } = slowly()
    const ahead = navigation.prepare()
    await Promise.all([fail(), expect(ahead).rejects.toThrow('404')])
    expect(navigation.get().pending).toBe(false)
    expect(window.location.assign).not.toHaveBeenCalled()
  })
})
