/** Puts the discussion that a link leads to into a frame after it. The frame is as high as the page in it says, and wider by that page's margins; the link goes. */
export function enframe(link: HTMLAnchorElement | null): void {
  if (!link?.isConnected || link.hidden) return
  const frame = document.createElement('iframe')
  frame.src = link.href
  frame.title = link.textContent
  frame.loading = 'lazy'
  frame.style.cssText = 'display: block; inline-size: calc(100% + 2 * var(--s16)); block-size: 40rem; margin-inline: calc(-1 * var(--s16)); border: 0'
  window.addEventListener('message', function onMessage({ origin, source, data }: MessageEvent<{ discussion?: unknown } | null>) {
    if (!frame.isConnected) return window.removeEventListener('message', onMessage)
    if (origin !== window.location.origin || source !== frame.contentWindow) return
    const height = data?.discussion
    if (typeof height === 'number' && height > 0 && height < 100_000) frame.style.blockSize = `${height}px`
  })
  frame.dataset.print = 'hide'
  frame.id = link.id
  link.id = ''
  link.hidden = true
  link.after(frame)
}
