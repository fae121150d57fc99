import type { ArticleData, Byline } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './meta.module.css'

interface MetaProps {
  data: ArticleData
  today: string
  /** Off where the authors have a card of their own. */
  named: boolean
}

/** Who wrote it, when, and how long reading it takes, in one line where it fits. */
export function Meta({ data: { card, minutes, modified, discussion }, today, named }: MetaProps) {
  const t = useT()
  const { format } = useSite()
  const at = (date: string) => {
    const time = format.time(date)
    return format.day(date) === today ? t('article.today', { time }) : t('article.posted', { date: format.longDate(date), time })
  }
  return (
    <p className={styles.meta}>
      {named && card.authors?.map((author) => <Name key={author.name} author={author} />)}
      <time dateTime={card.date}>{at(card.date)}</time>
      {modified && format.dateTime(modified) !== format.dateTime(card.date) && <time dateTime={modified}>{t('article.modified', { at: at(modified) })}</time>}
      {minutes && <span>{t('article.minutes', { count: minutes })}</span>}
      {discussion && card.comments ? (
        <a href="#discussion" data-print="hide">
          {t('card.comments', { count: card.comments })}
        </a>
      ) : null}
    </p>
  )
}

function Name({ author: { name, url } }: { author: Byline }) {
  return url ? (
    <a className={styles.name} href={url} rel="author">
      {name}
    </a>
  ) : (
    <span className={styles.name}>{name}</span>
  )
}
