import type { ArticleData, Byline } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { Share } from '../../blocks/share.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import styles from './meta.module.css'

interface MetaProps {
  data: ArticleData
  title: string
  url: string
  /** Off where the author has a card of their own. */
  portraits: boolean
}

/** Who wrote it and when, and ways to pass it on. */
export function Meta({ data: { card, modified, discussion }, title, url, portraits }: MetaProps) {
  const t = useT()
  const { format } = useSite()
  const authors = card.authors ?? []
  const at = (date: string) => ({ date: format.longDate(date), time: format.time(date) })
  return (
    <div className={styles.meta}>
      {portraits && authors.length > 0 && (
        <div>
          <p className={styles.label}>{t('article.authors', { count: authors.length })}</p>
          <ul className={styles.authors}>
            {authors.map((author) => (
              <li key={author.name} className={styles.author}>
                {author.portrait && <Picture className={styles.portrait} picture={author.portrait} role="author" decorative />}
                <Name author={author} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.dates}>
        <time dateTime={card.date}>{t('article.posted', at(card.date))}</time>
        {modified && format.dateTime(modified) !== format.dateTime(card.date) && <time dateTime={modified}>{t('article.modified', at(modified))}</time>}
        {discussion && (
          <a href="#discussion">
            {t('card.comments', { count: card.comments })}
          </a>
        )}
      </div>
      <Share url={url} title={title} />
    </div>
  )
}

function Name({ author }: { author: Byline }) {
  return (
    <span className={styles.who}>
      {author.url ? (
        <a className={styles.name} href={author.url} rel="author">
          {author.name}
        </a>
      ) : (
        <span className={styles.name}>{author.name}</span>
      )}
      {author.role && <span className={styles.role}>{author.role}</span>}
    </span>
  )
}
