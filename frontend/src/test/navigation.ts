import { createMemoryRouter, type DataRouter } from 'react-router'
import { stateOf } from '../app/engine.ts'
import type { Navigation, NavigationState } from '../app/navigation.tsx'

/** A router in the form in which the app knows it, as the engine gives it in a browser. */
export function followRouter(router: DataRouter): Navigation {
  let state = stateOf(router.state)
  const listeners = new Set<(state: NavigationState) => void>()
  router.subscribe((next) => {
    state = stateOf(next)
    for (const listener of listeners) listener(state)
  })
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    navigate: (to, options) => void (typeof to === 'number' ? router.navigate(to) : router.navigate(to, options)),
  }
}

/** A history in memory, in which every address is there and loads nothing. */
export const makeRouter = (url: string): DataRouter => createMemoryRouter([{ path: '*', element: null }], { initialEntries: [url] })
