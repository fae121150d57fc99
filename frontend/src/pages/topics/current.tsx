import type { Topic } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { Headline } from '../../blocks/headline.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import styles from './current.module.css'

/** The edition of this week: its three covers beside its name and what it is about. */
export function Current({ topic: { title, description, url, date, covers } }: { topic: Topic }) {
  const t = useT()
  const { format } = useSite()
  return (
    <article className={styles.current}>
      <div className={styles.words}>
        <p className={styles.kicker}>
          {t('topics.current')} · <time dateTime={date}>{format.when(date)}</time>
        </p>
        <Headline size="h2" level={2}>
          <a className={styles.link} href={url}>
            {title}
          </a>
        </Headline>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {covers.length > 0 && (
        <div className={styles.covers}>
          {covers.slice(0, 3).map((cover, index) => (
            <Picture key={cover.id} picture={cover} role="cover" eager={index === 0} decorative />
          ))}
        </div>
      )}
    </article>
  )
}
