import type { Page } from '../api/page.ts'
import type { PublicEdition } from '../editions/types.ts'

export interface Bootstrap {
  edition: PublicEdition
  page: Page
}

/** The app's place in the document. */
export function findRoot(document: Document): HTMLElement {
  const root = document.getElementById('app')
  if (!root) throw new Error('Root element #app not found in DOM')
  return root
}

/** The edition and the first page, which the server has put into the document. */
export function readBootstrap(document: Document): Bootstrap {
  const text = document.getElementById('bootstrap')?.textContent
  if (!text) throw new Error('Element #bootstrap not found in DOM')
  const data = JSON.parse(text) as Partial<Bootstrap>
  if (!data.edition?.paths || !data.page?.route) throw new Error('Element #bootstrap lacks the edition or the page')
  return data as Bootstrap
}
