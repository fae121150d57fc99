import type { MinuteStory } from '../../api/content.ts'
import { queryString } from '../../editions/href.ts'
import type { PublicEdition } from '../../editions/types.ts'

/** Where the reader opens at that item: its own address, told to show the short news around it. */
export function readerAddress({ url }: Pick<MinuteStory, 'url'>, paths: PublicEdition['paths']): string | undefined {
  const slug = paths.minutes?.split('/').filter(Boolean).at(-1)
  return url && slug && !url.includes('?') ? url + queryString({ article_type: slug }) : url
}

/** The page of the item alone, which is what is passed on. */
export const ownAddress = ({ url }: Pick<MinuteStory, 'url'>): string | undefined => url?.split('?')[0]
