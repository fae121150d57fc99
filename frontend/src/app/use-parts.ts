import { errorCode } from '../api/error.ts'
import type { Page } from '../api/page.ts'
import { useNavigate } from './navigation.tsx'
import { withStatus } from './status.ts'
import { useMore, type More } from './use-more.ts'

type Named = { id: number } | { slug: string }

const nameOf = (item: Named) => ('id' in item ? item.id : item.slug)

/** Without what an earlier part has brought: what came in between moves the parts of a list that is followed by number. */
export function distinct<Item extends Named>(parts: readonly (readonly Item[])[]): Item[][] {
  const seen = new Set<number | string>()
  return parts.map((part) => part.filter((item) => !seen.has(nameOf(item)) && seen.add(nameOf(item))))
}

/** A page's list in the parts in which it came; a part that does not come is told in the address. */
export function useParts<Data, Item extends Named>(page: Page<Data>, items: (data: Data) => Item[], next: (page: Page<Data>) => string | null): More<Item[]> {
  const navigate = useNavigate()
  const more = useMore<Data, Item[]>(page, { items: (data) => [items(data)], next }, (error) => navigate(withStatus(page.url, errorCode(error)), { preventScrollReset: true }))
  return { ...more, items: distinct(more.items) }
}
