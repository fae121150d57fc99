/**
 * Puts the discussion that a link leads to into a frame in its place, wider by the margins of the page in it. The frame keeps
 * the height that its place has, and takes that of the page in it only where nobody sees what follows move: while its end is below
 * the window, while the reader is in it, or when the window itself has changed. Until then it scrolls by itself.
 */
export function enframe(link: HTMLAnchorElement | null): void {
  if (!link?.isConnected || link.hidden) return
  const frame = document.createElement('iframe')
  frame.src = link.href
  frame.title = link.title || link.textContent
  frame.loading = 'lazy'
  frame.style.cssText = 'inline-size: calc(100% + 2 * var(--s16)); max-inline-size: none; block-size: 20rem; margin-inline: calc(-1 * var(--s16)); border: 0; vertical-align: top'
  let wanted = 0
  let turned = false // the window has another shape, and the page in the frame is about to say what follows from that
  const fit = () => {
    if (!wanted || (!turned && frame.getBoundingClientRect().bottom < window.innerHeight && document.activeElement !== frame)) return
    frame.style.blockSize = `${wanted}px`
  }
  const listening = new AbortController()
  const listen = (type: 'message' | 'scroll' | 'blur' | 'resize', onEvent: (event: Event) => void) =>
    window.addEventListener(type, (event) => (frame.isConnected ? onEvent(event) : listening.abort()), { passive: true, signal: listening.signal })
  listen('scroll', fit)
  listen('blur', fit) // the reader may have gone into it
  listen('resize', () => (turned = true))
  listen('message', (event) => {
    const { origin, source, data } = event as MessageEvent<{ discussion?: unknown } | null>
    if (origin !== window.location.origin || source !== frame.contentWindow) return
    const height = data?.discussion
    if (typeof height !== 'number' || height > 100_000) return
    wanted = height
    fit()
    turned = false
  })
  frame.dataset.print = 'hide'
  frame.id = link.id
  link.id = ''
  link.hidden = true
  link.after(frame)
}
