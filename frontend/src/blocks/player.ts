const youtube = /^https:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/

/** The address of a frame that plays what a link leads to; null: the link stays a link. */
export function playerAddress(href: string): string | null {
  const id = youtube.exec(href)?.[1]
  return id ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1` : null
}

/** Puts the player into the place of the link; nothing of another site is loaded before. */
export function play(link: HTMLAnchorElement, address: string): void {
  const frame = document.createElement('iframe')
  frame.src = address
  frame.title = link.textContent?.trim() || link.hostname
  frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  link.replaceWith(frame)
  frame.focus()
}
