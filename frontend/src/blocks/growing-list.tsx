import { clsx } from 'clsx/lite'
import type { ReactNode } from 'react'
import type { More } from '../app/use-more.ts'
import { useT } from '../i18n/use-t.ts'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { LoadMore } from './load-more.tsx'
import styles from './list-page.module.css'
import { Placeholders, type Shape } from './placeholders.tsx'
import { useArrivals } from './use-arrivals.ts'

interface GrowingListProps {
  /** How many came with each part, the page's own first. */
  counts: number[]
  more: Pick<More<unknown>, 'next' | 'loading' | 'load'>
  className?: string
  /** What its entries look like while they are on their way; without it nothing stands for them. */
  shape?: Shape | undefined
  /** Says how many came; of articles, unless told. */
  loaded?: (count: number) => string
  /** The list; what begins a part carries `data-part` with its number. */
  children: ReactNode
}

/** A list with "load more" below it: what came is said, and the keyboard is led to it. */
export function GrowingList({ counts, more, className, shape, loaded, children }: GrowingListProps) {
  const t = useT()
  const list = useArrivals(counts.length)
  const last = counts.at(-1) ?? 0
  return (
    <div className={styles.growing}>
      <div ref={list} className={clsx(styles.list, className)}>
        {children}
      </div>
      {more.loading && shape && <Placeholders shape={shape} />}
      <LoadMore more={more} />
      <p role="status">
        <VisuallyHidden>{counts.length > 1 && (loaded?.(last) ?? t('list.loaded', { count: last }))}</VisuallyHidden>
      </p>
    </div>
  )
}
