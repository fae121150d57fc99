import type { Card } from '../api/content.ts'
import { cachedOnServer } from '../app/server-cache.tsx'
import { useSite } from '../app/site-context.ts'
import { useT } from '../i18n/use-t.ts'
import styles from './card.module.css'

interface CardMetaProps extends Pick<Card, 'authors' | 'date' | 'locked' | 'comments'> {
  /** The day (`format.day`) that its date is told from; without one it says the year. */
  today?: string | undefined
}

/** Below a headline: who wrote it and when, how much it is discussed, and whether it is locked. */
export const CardMeta = cachedOnServer('card-meta', function CardMeta({ authors, date, locked, comments, today }: CardMetaProps) {
  const { format } = useSite()
  const t = useT()
  const names = authors?.map((author) => author.name).join(', ')
  return (
    <p className={styles.meta}>
      {names && `${names} · `}
      <time dateTime={date}>{format.when(date, today)}</time>
      {comments ? (
        <>
          {' · '}
          <span className={styles.comments}>{t('card.comments', { count: comments })}</span>
        </>
      ) : null}
      {locked && (
        <>
          {' '}
          <span data-lock>{t('card.locked')}</span>
        </>
      )}
    </p>
  )
})
