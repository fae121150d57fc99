import { useState } from 'react'
import { fetchPage, isRedirect, type Page } from '../api/page.ts'

export interface More<Item> {
  items: Item[]
  /** Address of the part that follows; none after the last. */
  next: string | null
  loading: boolean
  load: () => void
}

interface Parts<Data, Item> {
  items: (data: Data) => Item[]
  next: (page: Page<Data>) => string | null
}

/** A list that a page shows in parts: it starts with the page's own and grows by what is fetched. */
export function useMore<Data, Item>(page: Page<Data>, parts: Parts<Data, Item>, onError: (error: unknown) => void): More<Item> {
  const [state, setState] = useState({ first: page, pages: [page], loading: false })
  // Another first part (a new query, a revalidation) starts the list anew.
  const current = state.first === page ? state : { first: page, pages: [page], loading: false }
  const last = current.pages.at(-1) ?? page
  const next = parts.next(last)

  const load = () => {
    if (!next || current.loading) return
    setState({ ...current, loading: true })
    fetchPage(next).then(
      (answer) => {
        if (isRedirect(answer)) return window.location.assign(answer.redirect)
        setState({ ...current, pages: [...current.pages, answer as Page<Data>], loading: false })
      },
      (error: unknown) => {
        setState({ ...current, loading: false })
        onError(error)
      },
    )
  }
  return { items: current.pages.flatMap((one) => parts.items(one.data)), next, loading: current.loading, load }
}
