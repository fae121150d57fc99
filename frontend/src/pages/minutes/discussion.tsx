import type { MinuteStory } from '../../api/content.ts'
import { useT } from '../../i18n/use-t.ts'
import { ownAddress } from './address.ts'
import styles from './discussion.module.css'

/** What readers say about the item that is shown: how much, and where. */
export function Discussion({ item }: { item: MinuteStory }) {
  const t = useT()
  const { comments } = item
  const url = ownAddress(item)
  return (
    <section className={styles.discussion} aria-labelledby="minute-discussion">
      <h2 id="minute-discussion" className={styles.title}>
        {t('minutes.discussion')}
      </h2>
      <p className={styles.count}>{comments > 0 ? t('card.comments', { count: comments }) : t('minutes.silence')}</p>
      {url && (
        <a className={styles.link} href={url}>
          {t('minutes.discuss')}
        </a>
      )}
    </section>
  )
}
