/**
 * Puts the discussion that a link leads to into a frame in its place, wider by the margins of the page in it. The frame keeps
 * the height that its place has, and grows to that page only where nobody sees what follows move: while its end is below the
 * window, or the reader is in it. Until then it scrolls by itself.
 */
export function enframe(link: HTMLAnchorElement | null): void {
  if (!link?.isConnected || link.hidden) return
  const frame = document.createElement('iframe')
  frame.src = link.href
  frame.title = link.textContent
  frame.loading = 'lazy'
  frame.style.cssText = 'inline-size: calc(100% + 2 * var(--s16)); block-size: 20rem; margin-inline: calc(-1 * var(--s16)); border: 0; vertical-align: top'
  let wanted = 0
  const grow = () => {
    const { height, bottom } = frame.getBoundingClientRect()
    if (wanted > height && (bottom >= window.innerHeight || document.activeElement === frame)) frame.style.blockSize = `${wanted}px`
  }
  const listening = new AbortController()
  const listen = (type: 'message' | 'scroll' | 'blur', onEvent: (event: Event) => void) =>
    window.addEventListener(type, (event) => (frame.isConnected ? onEvent(event) : listening.abort()), { passive: true, signal: listening.signal })
  listen('scroll', grow)
  listen('blur', grow) // the reader may have gone into it
  listen('message', (event) => {
    const { origin, source, data } = event as MessageEvent<{ discussion?: unknown } | null>
    if (origin !== window.location.origin || source !== frame.contentWindow) return
    const height = data?.discussion
    if (typeof height === 'number' && height < 100_000) wanted = height
    grow()
  })
  frame.dataset.print = 'hide'
  frame.id = link.id
  link.id = ''
  link.hidden = true
  link.after(frame)
}
