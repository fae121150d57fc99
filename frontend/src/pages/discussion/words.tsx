import type { ReactNode } from 'react'

/** Only what a browser opens as a page becomes a link; everything else stays the text that it is. */
const address = /https?:\/\/[^\s<>"'()[\]{}]+[^\s<>"'()[\]{}.,;:!?…“”„«»]/gi

/** The words of a comment: paragraphs, lines, and addresses that can be followed. */
export function Words({ text }: { text: string }) {
  return text.split(/\n{2,}/).map((paragraph, index) => <p key={index}>{linked(paragraph)}</p>)
}

function linked(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let from = 0
  for (const found of text.matchAll(address)) {
    const url = found[0]
    parts.push(
      text.slice(from, found.index),
      <a key={found.index} href={url} rel="nofollow ugc noopener noreferrer" target="_blank">
        {url}
      </a>,
    )
    from = found.index + url.length
  }
  parts.push(text.slice(from))
  return parts
}
