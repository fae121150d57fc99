import { createElement, type ComponentType, type ReactElement, type ReactNode } from 'react'
import type { ServerCache } from './server-cache.tsx'

/** How many pieces a generation has; each of the server's engines has two generations. */
const generation = 600

/** HTML of components by edition, name and props. What was not asked for while a generation filled is forgotten. */
export class HTMLCache {
  private young = new Map<string, string>()
  private old = new Map<string, string>()

  get(key: string): string | undefined {
    const html = this.young.get(key) ?? this.old.get(key)
    if (html !== undefined) this.set(key, html)
    return html
  }

  set(key: string, html: string): void {
    if (this.young.size >= generation && !this.young.has(key)) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(key, html)
  }
}

// An element that no text of ours can have: its name is drawn anew whenever the server starts.
const tag = `x-${Math.random().toString(36).slice(2)}`
const mark = `<${tag}></${tag}>`

interface Placed {
  key: string
  element: ReactElement
}

/** Renders a page of an edition whose cached components are taken from a cache. */
export class PageRenderer implements ServerCache {
  private placed: Placed[] = []

  constructor(
    private readonly edition: string,
    private readonly cache: HTMLCache,
  ) {}

  place<Props extends object>(name: string, View: ComponentType<Props>, props: Props): ReactNode {
    this.placed.push({ key: `${this.edition} ${name} ${JSON.stringify(props)}`, element: createElement(View, props) })
    return createElement(tag)
  }

  /** Puts the cached pieces into the page's HTML, in the order in which they were met, which is that of the document. */
  fill(html: string, render: (element: ReactElement) => string): string {
    const parts = html.split(mark)
    if (parts.length !== this.placed.length + 1) throw new Error(`${this.placed.length} pieces for ${parts.length - 1} places`)
    const out = [parts[0]]
    this.placed.forEach(({ key, element }, index) => {
      let piece = this.cache.get(key)
      if (piece === undefined) {
        piece = render(element)
        this.cache.set(key, piece)
      }
      out.push(piece, parts[index + 1])
    })
    return out.join('')
  }
}
