import { createElement, Fragment, type ComponentType, type ReactElement, type ReactNode } from 'react'
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
    const known = new Map(this.placed.map(({ key }) => [key, this.cache.get(key)]))
    const missing = new Map(this.placed.filter(({ key }) => known.get(key) === undefined).map(({ key, element }) => [key, element]))
    if (missing.size > 0) {
      // In one call: starting one costs as much as a card does.
      const made = render(createElement(Fragment, null, ...[...missing.values()].flatMap((element) => [element, createElement(tag)]))).split(mark)
      if (made.length !== missing.size + 1) throw new Error(`${made.length - 1} pieces for ${missing.size} elements`)
      ;[...missing.keys()].forEach((key, index) => {
        const piece = made[index] ?? ''
        known.set(key, piece)
        this.cache.set(key, piece)
      })
    }
    const out = [parts[0]]
    this.placed.forEach(({ key }, index) => out.push(known.get(key), parts[index + 1]))
    return out.join('')
  }
}
