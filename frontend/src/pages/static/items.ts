import type { PageItem } from '../../api/content.ts'

/** What every list of a block's entries gets. */
export interface ItemsProps {
  items: PageItem[]
  /** Unique on the page. */
  name: string
  /** Whether a title stands above: the entries' own titles are then one level below it. */
  titled: boolean
}
