import type { PageMeta } from '../api/page.ts'

/** After a navigation, the document's own words follow the page. The first page's were written by the server. */
export function applyMeta(document: Document, meta: PageMeta) {
  document.title = meta.title
  setMeta(document, 'description', meta.description)
  setMeta(document, 'robots', meta.robots)
  const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]') ?? document.createElement('link')
  canonical.rel = 'canonical'
  canonical.href = meta.canonical
  if (!canonical.isConnected) document.head.append(canonical)
}

function setMeta(document: Document, name: string, content: string | undefined) {
  const found = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  if (!content) return found?.remove()
  const element = found ?? document.createElement('meta')
  element.name = name
  element.content = content
  if (!found) document.head.append(element)
}
