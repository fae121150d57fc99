const youtube = /^https:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/
const vimeo = /^https:\/\/(?:player\.)?vimeo\.com\/(?:video\/)?(\d{5,12})(?!\d)/
const post = /^https:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/(?:\w+|i\/web|i)\/status\/(\d{1,25})(?!\d)/

/** A frame of another service in the place of a link to it. */
export interface Embed {
  kind: 'film' | 'post'
  address: string
}

/** What a link leads to, as a frame; null: the link stays a link. Only what was asked for by a click begins to play. */
export function embedOf(href: string, asked: boolean): Embed | null {
  const film = youtube.exec(href)?.[1]
  if (film) return { kind: 'film', address: `https://www.youtube-nocookie.com/embed/${film}${asked ? '?autoplay=1' : ''}` }
  const other = vimeo.exec(href)?.[1]
  if (other) return { kind: 'film', address: `https://player.vimeo.com/video/${other}?dnt=1${asked ? '&autoplay=1' : ''}` }
  const id = post.exec(href)?.[1]
  return id ? { kind: 'post', address: `https://platform.twitter.com/embed/Tweet.html?id=${id}&dnt=true` } : null
}

/** Puts the frame into the place of the link; nothing of another site is loaded before. */
export function play(link: HTMLAnchorElement, { kind, address }: Embed, asked: boolean): void {
  const frame = document.createElement('iframe')
  frame.loading = 'lazy'
  frame.dataset.kind = kind
  frame.src = address
  frame.title = link.textContent?.trim() || link.hostname
  frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  link.replaceWith(frame)
  if (asked) frame.focus()
}

const placeholders = '[data-embed] a[href], .wp-block-embed a[href]'

/** Turns the placeholders of a text into frames when they are clicked, or at once where the reader has agreed; returns what ends that. */
export function openEmbeds(element: HTMLElement, agreed: boolean): () => void {
  const open = (link: HTMLAnchorElement, asked: boolean) => {
    const embed = embedOf(link.href, asked)
    if (embed) play(link, embed, asked)
    return embed !== null
  }
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(placeholders) : null
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    if (open(link, true)) event.preventDefault()
  }
  if (agreed) for (const link of element.querySelectorAll<HTMLAnchorElement>(placeholders)) open(link, false)
  element.addEventListener('click', onClick)
  return () => element.removeEventListener('click', onClick)
}
