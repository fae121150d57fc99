import type { Byline as BylineData } from '../api/content.ts'
import { useSite } from '../app/site-context.ts'
import { useT } from '../i18n/use-t.ts'
import styles from './byline.module.css'

/** Who wrote an article, and when. */
export function Byline({ authors, date }: { authors: BylineData[]; date: string }) {
  const t = useT()
  const { format } = useSite()
  return (
    <p className={styles.byline}>
      {authors.map((author, index) => (
        <span key={author.name}>
          {index > 0 && ', '}
          {author.url ? (
            <a className={styles.name} href={author.url} rel="author">
              {author.name}
            </a>
          ) : (
            <span className={styles.name}>{author.name}</span>
          )}
        </span>
      ))}
      {authors.length > 0 && ' · '}
      <time dateTime={date}>{t('byline.at', { date: format.date(date), time: format.time(date) })}</time>
    </p>
  )
}
