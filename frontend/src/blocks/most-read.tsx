import type { Card } from '../api/content.ts'
import { cachedOnServer } from '../app/server-cache.tsx'
import { useT } from '../i18n/use-t.ts'
import { Headline } from './headline.tsx'
import styles from './most-read.module.css'

interface MostReadProps {
  cards: Card[]
  title?: string
  start?: number
  /** Side by side, where it has a whole row to itself. */
  wide?: boolean
}

/** A numbered list of what others read. */
export const MostRead = cachedOnServer('most-read', function MostRead({ cards, title, start = 1, wide = false }: MostReadProps) {
  const t = useT()
  if (cards.length === 0) return null
  return (
    <section className={wide ? styles.wide : styles.list} aria-label={title ?? t('mostRead.title')}>
      <h2 className={styles.title}>{title ?? t('mostRead.title')}</h2>
      <ol start={start}>
        {cards.map((card, index) => (
          <li key={card.id} className={styles.item}>
            <span className={styles.place} aria-hidden="true">
              {start + index}
            </span>
            <Headline size="h6">
              <a href={card.url}>
                {card.title}
              </a>
            </Headline>
          </li>
        ))}
      </ol>
    </section>
  )
})
