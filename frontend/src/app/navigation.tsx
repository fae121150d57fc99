import { createContext, startTransition, useContext, useLayoutEffect, useState, type ReactNode } from 'react'
import type { LoadedPage } from './page-module.ts'

/** An address of the app, as an entry of the history has it. */
export interface Location {
  pathname: string
  search: string
  hash: string
  /** What whoever navigated here has put into the history. */
  state: unknown
  /** Names the entry; the first one of a document has the key "default". */
  key: string
}

export interface NavigateOptions {
  replace?: boolean
  state?: unknown
  preventScrollReset?: boolean
}

/** Leads to an address, or so many entries forward or back in the history. */
export type Navigate = (to: string | number, options?: NavigateOptions) => void

/** What is shown, and how it was reached. */
export interface NavigationState {
  location: Location
  type: 'POP' | 'PUSH' | 'REPLACE'
  /** Another page was asked for and is not here yet. */
  pending: boolean
  /** None while an error stands in its place. */
  loaded: LoadedPage | undefined
  /** Why the page could not be loaded. */
  error: unknown
}

export interface Navigation {
  get: () => NavigationState
  subscribe: (listener: (state: NavigationState) => void) => () => void
  navigate: Navigate
}

/** One page and no other: what the server renders. */
export function staticNavigation(url: string, loaded: LoadedPage): Navigation {
  const [pathname = '/', search] = url.split('?')
  const location = { pathname, search: search ? `?${search}` : '', hash: '', state: null, key: 'default' }
  const state: NavigationState = { location, type: 'POP', pending: false, loaded, error: undefined }
  return { get: () => state, subscribe: () => () => undefined, navigate: () => undefined }
}

const StateContext = createContext<NavigationState | null>(null)
const NavigateContext = createContext<Navigate | null>(null)

/** Lets components below it read where the reader is, and lead elsewhere. */
export function NavigationProvider({ navigation, children }: { navigation: Navigation; children: ReactNode }) {
  const [state, setState] = useState(navigation.get)
  // A new page is rendered in slices, as by react-router's own provider: typing and scrolling do not wait for it.
  useLayoutEffect(() => {
    const follow = (next: NavigationState) => startTransition(() => setState(next))
    follow(navigation.get()) // it may have moved on since the render
    return navigation.subscribe(follow)
  }, [navigation])
  return (
    <NavigateContext value={navigation.navigate}>
      <StateContext value={state}>{children}</StateContext>
    </NavigateContext>
  )
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('No NavigationProvider above')
  return value
}

export const useNavigationState = (): NavigationState => required(useContext(StateContext))
export const useLocation = (): Location => useNavigationState().location
export const useNavigate = (): Navigate => required(useContext(NavigateContext))
