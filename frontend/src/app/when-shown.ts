/** A page whose first picture does not come gets its scripts after this long. */
const longest = 4000
const inputs = ['pointerdown', 'keydown'] as const

/**
 * Resolves when the page stands on the screen with its first picture, or when the reader does something before that. Until
 * then the line and the processor belong to what is read: the server's HTML needs no script for reading.
 */
export function whenShown(window: Window): Promise<void> {
  const { document } = window
  return new Promise((resolve) => {
    const over = new AbortController()
    const { signal } = over
    const go = () => {
      over.abort()
      window.clearTimeout(timer)
      resolve()
    }
    const timer = window.setTimeout(go, longest)
    // A browser says so when the first frame is on the screen, which can be long after it was drawn.
    const drawn = () => {
      if (PerformanceObserver.supportedEntryTypes.includes('paint')) new PerformanceObserver(go).observe({ type: 'paint', buffered: true })
      else go()
    }
    // What has loaded is painted with the next frame; a page in the background has none.
    const loaded = () => (document.hidden ? go() : window.requestAnimationFrame(() => window.setTimeout(drawn)))
    if (document.readyState === 'complete') loaded()
    else window.addEventListener('load', loaded, { signal })
    for (const input of inputs) window.addEventListener(input, go, { signal, capture: true, passive: true })
  })
}
