/** The address of the app that a link leads to. None for what stays with the browser: another tab, a download, another site, or not a page of the app. */
function linkedPage(target: EventTarget | null, isPage: (pathname: string) => boolean): URL | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || (link.target && link.target !== '_self') || link.hasAttribute('download') || link.hasAttribute('data-native')) return null
  const url = new URL(link.href)
  if (url.origin !== window.location.origin || !isPage(url.pathname)) return null
  const samePage = url.pathname === window.location.pathname && url.search === window.location.search
  return samePage && url.hash ? null : url
}

/** Where a click leads within the app; a modified one stays with the browser. */
export function linkTarget(event: MouseEvent, isPage: (pathname: string) => boolean): URL | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  return linkedPage(event.target, isPage)
}

/** Plain anchors everywhere, and one listener that turns clicks on the app's own pages into navigations. */
export function handleLinks(document: Document, isPage: (pathname: string) => boolean, navigate: (to: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    const url = linkTarget(event, isPage)
    if (!url) return
    event.preventDefault()
    navigate(url.pathname + url.search + url.hash)
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}

/** How long a page is left alone before the engine is fetched without a sign, in milliseconds. */
const quietTime = 4000

/**
 * Has the engine fetched before the click that needs it: when somebody points at a link of the app or moves the focus to one
 * or to a search field, or when the page has been there for a while and nothing else is to do.
 */
export function expectNavigation(window: Window, isPage: (pathname: string) => boolean, prepare: () => Promise<void>): void {
  const over = new AbortController()
  const fetchEngine = () => {
    // One that cannot be had now is asked for again at the next sign.
    prepare().then(
      () => over.abort(),
      () => undefined,
    )
  }
  const onSign = ({ target }: Event) => {
    if (linkedPage(target, isPage) || (target instanceof Element && target.closest('[role=search]'))) fetchEngine()
  }
  for (const sign of ['pointerover', 'pointerdown', 'touchstart', 'focusin']) window.addEventListener(sign, onSign, { passive: true, signal: over.signal })
  // Safari has no requestIdleCallback.
  window.setTimeout(() => ('requestIdleCallback' in window ? window.requestIdleCallback(fetchEngine) : fetchEngine()), quietTime)
}
