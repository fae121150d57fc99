/** Why a click stays with the browser: another tab, a download, a modified click, another site, or not a page of the app. */
export function linkTarget(event: MouseEvent, isPage: (pathname: string) => boolean): URL | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.href || (link.target && link.target !== '_self') || link.hasAttribute('download') || link.hasAttribute('data-native')) return null
  const url = new URL(link.href)
  if (url.origin !== window.location.origin || !isPage(url.pathname)) return null
  const samePage = url.pathname === window.location.pathname && url.search === window.location.search
  return samePage && url.hash ? null : url
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
