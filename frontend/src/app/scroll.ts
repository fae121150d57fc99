const places = new Map<string, number>()

/** Remembers how far down a page of the history is, until the returned function is called. */
export function keepScroll(key: string): () => void {
  const remember = () => places.set(key, window.scrollY)
  window.addEventListener('scroll', remember, { passive: true })
  return () => window.removeEventListener('scroll', remember)
}

/** How far down a page of the history was. */
export const scrollFor = (key: string): number => places.get(key) ?? 0

/** Within the app, places are restored when a page is there; leaving it and coming back is the browser's. */
export function ownScroll(window: Window): void {
  window.history.scrollRestoration = 'manual'
  window.addEventListener('pagehide', () => {
    window.history.scrollRestoration = 'auto'
  })
}
