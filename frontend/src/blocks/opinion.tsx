import { clsx } from 'clsx/lite'
import type { Card } from '../api/content.ts'
import { useT } from '../i18n/use-t.ts'
import { Picture } from '../ui/picture.tsx'
import { Headline, type HeadlineSize } from './headline.tsx'
import styles from './opinion.module.css'

const quoted = /^[„“”«»"‚‘’]/

/** Somebody's view: who says it first, then what, in the quotation marks of the language. */
export function Opinion({ card, size = 'h5', excerpt = false }: { card: Card; size?: HeadlineSize; excerpt?: boolean }) {
  const t = useT()
  const author = card.authors?.[0]
  const names = card.authors?.map(({ name }) => name).join(', ')
  return (
    <article className={clsx(styles.opinion, size === 'h5' && styles.small)}>
      <div className={styles.author}>
        {author?.portrait && <Picture className={styles.portrait} picture={author.portrait} role="author" decorative />}
        <p className={styles.who}>
          {names && <span className={styles.name}>{names}</span>}
          {author?.role && <span className={styles.role}>{author.role}</span>}
        </p>
      </div>
      <div className={styles.words}>
        <Headline size={size} level={3} opinion>
          <a href={card.url}>
            {quoted.test(card.title) ? card.title : t('opinion.quote', { text: card.title })}
          </a>
        </Headline>
        {excerpt && card.excerpt && <p className={styles.excerpt}>{card.excerpt}</p>}
        {card.locked && <p className={styles.locked} data-lock>{t('card.locked')}</p>}
      </div>
    </article>
  )
}
