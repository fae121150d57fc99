import { clsx } from 'clsx/lite'
import type { Card as CardData } from '../api/content.ts'
import { cachedOnServer } from '../app/server-cache.tsx'
import { useSite } from '../app/site-context.ts'
import { Picture } from '../ui/picture.tsx'
import type { PictureRole } from '../ui/picture-roles.ts'
import { CardMeta } from './card-meta.tsx'
import { Headline, type HeadlineSize } from './headline.tsx'
import styles from './card.module.css'

export interface CardProps {
  card: CardData
  size?: HeadlineSize
  level?: 2 | 3 | 4
  /** Where its picture stands; without one it is a card of words. */
  picture?: PictureRole | undefined
  excerpt?: boolean
  /** On phones: picture above, or a small one beside the headline. */
  narrow?: 'stack' | 'row'
  /** From 768 px on the picture stands beside the words and takes two thirds. */
  beside?: boolean
  eager?: boolean
  /** The day (`format.day`) that its date is told from; without one it says the year. */
  today?: string | undefined
}

// React puts a link to a picture that is wanted at once before all of the page.
const firstPicture = ({ eager = false }: CardProps) => eager

/** An article in a list. It takes the width of its place and has no margin; the whole of it is the headline's link. */
export const Card = cachedOnServer('card', function Card({ card, size = 'h5', level = 3, picture, excerpt = false, narrow = 'row', beside = false, eager = false, today }: CardProps) {
  const { format } = useSite()
  const opinion = card.type === 'comment_article'
  const portrait = opinion ? card.authors?.[0]?.portrait : undefined
  const image = picture && card.picture
  return (
    <article className={clsx(styles.card, opinion && styles.opinion, image && narrow === 'row' && styles.row, image && beside && styles.beside, (size === 'h1' || size === 'title') && styles.lead)}>
      {image ? (
        <div className={styles.media}>
          <Picture picture={image} role={picture} eager={eager} decorative />
          {card.videoSeconds !== undefined && <span className={styles.length}>{format.duration(card.videoSeconds)}</span>}
        </div>
      ) : (
        portrait && <Picture className={styles.portrait} picture={portrait} role="author" decorative />
      )}
      {card.section && (
        <a className={styles.kicker} href={card.section.url}>
          {card.section.name}
        </a>
      )}
      <Headline size={size} level={level} opinion={opinion}>
        <a href={card.url}>
          {card.title}
        </a>
      </Headline>
      {excerpt && card.excerpt && <p className={styles.excerpt}>{card.excerpt}</p>}
      <CardMeta authors={card.authors} date={card.date} locked={card.locked} comments={card.comments} today={today} />
    </article>
  )
}, firstPicture)
