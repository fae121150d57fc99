import { clsx } from 'clsx/lite'
import type { ElementType, ReactNode } from 'react'
import styles from './headline.module.css'

/** Steps of the type scale, from the front's lead to the lists. */
export type HeadlineSize = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'title'

interface HeadlineProps {
  size: HeadlineSize
  /** Its rank in the page's outline, which has nothing to do with its size. */
  level?: 1 | 2 | 3 | 4
  /** Comment and letters are set light. */
  opinion?: boolean
  className?: string
  children: ReactNode
}

export function Headline({ size, level = 3, opinion = false, className, children }: HeadlineProps) {
  const Tag = `h${level}` as ElementType
  return <Tag className={clsx(styles.headline, styles[size], opinion && styles.opinion, className)}>{children}</Tag>
}
