import type { Location, NavigateOptions, Navigation, NavigationState } from './navigation.tsx'
import type { LoadedPage } from './page-module.ts'
import { withoutMarks, withStatus } from './status.ts'

/** What loads other pages. It comes at the first need, because the first view does without. */
export interface Engine {
  navigate: (to: string, options?: NavigateOptions) => void
  /** The browser has gone back or forward to the address that it has now. */
  pop: () => void
}

/** Where an engine begins, and where it says what is shown from then on. */
export interface EngineHost {
  get: () => NavigationState
  publish: (state: NavigationState) => void
}

export interface BrowserNavigation extends Navigation {
  /** Fetches the engine, unless it is here. Fails when it cannot be had. */
  prepare: () => Promise<void>
}

/** What waits for the engine, and what is done when it cannot be had. */
interface Held {
  proceed: (engine: Engine) => void
  loadDocument: () => void
}

/** The history's present entry, in the form in which react-router reads and writes it. */
function locationOf({ location: { pathname, search, hash }, history }: Window): Location {
  const { usr = null, key = 'default' } = (history.state ?? {}) as { usr?: unknown; key?: string }
  return { pathname, search, hash, state: usr, key }
}

const pathOf = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) => pathname + search

/** Whether the page stays, by the rules of react-router and of the engine's routes: only a place in it is named, or what is laid over it. */
function stays(from: Location, to: Pick<Location, 'pathname' | 'search' | 'hash'>): boolean {
  const [before, after] = [pathOf(from), pathOf(to)]
  return before === after ? to.hash !== '' : withoutMarks(before) === withoutMarks(after)
}

/** The reader's way through the app. Until the engine is here, it does by itself what loads nothing, and holds the rest. */
export function createNavigation(window: Window, loaded: LoadedPage, load: (host: EngineHost) => Promise<Engine>): BrowserNavigation {
  let state: NavigationState = { location: locationOf(window), type: 'POP', pending: false, loaded, error: undefined }
  let engine: Engine | undefined
  let coming: Promise<Engine> | undefined
  let held: Held | undefined
  const listeners = new Set<(state: NavigationState) => void>()
  const get = () => state
  const publish = (next: Partial<NavigationState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener(state)
  }

  const offline = () => window.navigator.onLine === false
  const fetchEngine = async () => {
    // Some browsers never ask again for a module that has failed once.
    if (offline()) throw new Error('No connection')
    return load({ get, publish })
  }
  const prepare = async () => {
    if (engine) return
    coming ??= fetchEngine()
    try {
      engine = await coming
      window.removeEventListener('popstate', onPop)
    } finally {
      coming = undefined
    }
  }

  /** Moves to an address that shows the same page. */
  const record = (url: string, type: 'PUSH' | 'REPLACE', usr: unknown = null) => {
    held = undefined
    const entry = { ...(window.history.state as object | null), usr, key: Math.random().toString(36).slice(2, 10) }
    if (type === 'PUSH') window.history.pushState(entry, '', url)
    else window.history.replaceState(entry, '', url)
    publish({ location: locationOf(window), type, pending: false })
  }

  /** Waits for the engine. What the reader wants last is what counts. */
  const hold = async (next: Held) => {
    held = next
    publish({ pending: true })
    await prepare().catch(() => undefined)
    if (held !== next) return
    held = undefined
    if (engine) return next.proceed(engine)
    if (!offline()) {
      publish({ pending: false }) // going back may show this page as it was left
      return next.loadDocument()
    }
    // A page that cannot be had is no reason to take away the one that is there: it stays, and says so.
    const here = pathOf(state.location)
    const url = withStatus(here, 'CONNECTION_FAILED')
    record(url, url === here ? 'REPLACE' : 'PUSH')
  }

  const onPop = () => {
    const location = locationOf(window)
    if (!stays(state.location, location)) return void hold({ proceed: ({ pop }) => pop(), loadDocument: () => window.location.reload() })
    held = undefined
    publish({ location, type: 'POP', pending: false })
  }
  window.addEventListener('popstate', onPop)

  return {
    get,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    prepare,
    navigate: (to, options = {}) => {
      if (typeof to === 'number') return window.history.go(to)
      if (engine) return engine.navigate(to, options)
      if (stays(state.location, new URL(to, window.location.href))) return record(to, options.replace ? 'REPLACE' : 'PUSH', options.state)
      const loadDocument = () => (options.replace ? window.location.replace(to) : window.location.assign(to))
      void hold({ proceed: (arrived) => arrived.navigate(to, options), loadDocument })
    },
  }
}
