import { createContext, useContext, type ComponentType, type ReactNode } from 'react'

/** Takes a component that the server may have rendered before, and returns what stands in its place until it is filled in. */
export interface ServerCache {
  place: <Props extends object>(name: string, View: ComponentType<Props>, props: Props) => ReactNode
}

/** Set by the server's entry alone. */
export const ServerCacheContext = createContext<ServerCache | null>(null)

/**
 * A component that the server renders once for equal props. Its HTML has to follow from the edition and the props alone,
 * which are JSON on the server: no ids (`useId`), no reader, no address, nothing of the components around it. In browsers
 * it is the component itself. `name` tells it from others; what `except` reports is rendered each time.
 */
export function cachedOnServer<Props extends object>(name: string, View: ComponentType<Props>, except?: (props: Props) => boolean): ComponentType<Props> {
  if (!import.meta.env.SSR) return View
  return function Cached(props: Props) {
    const cache = useContext(ServerCacheContext)
    return cache && !except?.(props) ? cache.place(name, View, props) : <View {...props} />
  }
}
