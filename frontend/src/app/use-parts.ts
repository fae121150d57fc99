import { useNavigate } from 'react-router'
import { errorCode } from '../api/error.ts'
import type { Page } from '../api/page.ts'
import { withStatus } from './status.ts'
import { useMore, type More } from './use-more.ts'

/** A page's list in the parts in which it came; a part that does not come is told in the address. */
export function useParts<Data, Item>(page: Page<Data>, items: (data: Data) => Item[], next: (page: Page<Data>) => string | null): More<Item[]> {
  const navigate = useNavigate()
  return useMore<Data, Item[]>(page, { items: (data) => [items(data)], next }, (error) => void navigate(withStatus(page.url, errorCode(error)), { preventScrollReset: true }))
}
