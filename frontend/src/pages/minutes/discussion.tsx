import type { MouseEvent } from 'react'
import { useT } from '../../i18n/use-t.ts'
import styles from './discussion.module.css'

/** The way to what readers say about an item; where scripts run it opens in its place. */
export function Discussion({ href, comments }: { href: string; comments: number }) {
  const t = useT()
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const link = event.currentTarget
    void import('../../app/discussion-frame.ts').then(({ enframe }) => enframe(link))
  }
  return (
    <a className={styles.link} href={href} onClick={open} data-print="hide">
      {t('minutes.discussion')}
      {comments > 0 && ` · ${t('card.comments', { count: comments })}`}
    </a>
  )
}
