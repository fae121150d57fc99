import type { MouseEvent } from 'react'
import type { MinuteStory } from '../../api/content.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './discussion.module.css'

/** What readers say about the item that is shown: how much, and on a click what. */
export function Discussion({ item: { comments, discussion } }: { item: MinuteStory }) {
  const t = useT()
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault()
    const link = event.currentTarget
    void import('../../app/discussion-frame.ts').then(({ enframe }) => enframe(link))
  }
  return (
    <section className={styles.discussion} aria-labelledby="minute-discussion">
      <h2 id="minute-discussion" className={styles.title}>
        {t('minutes.discussion')}
      </h2>
      <p className={styles.count}>{comments > 0 ? t('card.comments', { count: comments }) : t('minutes.silence')}</p>
      {discussion && (
        <a className={styles.link} href={discussion} title={t('minutes.discussion')} onClick={open}>
          {t('minutes.discuss')}
        </a>
      )}
    </section>
  )
}
