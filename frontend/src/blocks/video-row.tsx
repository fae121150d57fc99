import type { Card as CardData } from '../api/content.ts'
import { Scroller } from '../ui/scroller.tsx'
import { CardRows } from './card-rows.tsx'
import { Card } from './card.tsx'
import { useLightbox } from './lightbox/use-lightbox.ts'
import styles from './video-row.module.css'

/** How far an arrow moves: one video and its gap, in pixels. */
export const videoStep = 245

/** So few fill a row by themselves, larger. */
const few = 4

/** Videos in a row that scrolls sideways. They are links to their articles; where scripts run, a click plays them here. */
export function VideoRow({ cards, label, today }: { cards: CardData[]; label: string; today?: string | undefined }) {
  const { onClick, player } = useLightbox(cards)
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- it only hears what is clicked within: links
    <div onClick={onClick}>
      {cards.length <= few ? (
        <CardRows rows={[cards]} today={today} />
      ) : (
        <Scroller label={label} step={videoStep}>
          {cards.map((card) => (
            <li key={card.id} className={styles.video}>
              <Card card={card} size="h6" picture="video" narrow="stack" today={today} />
            </li>
          ))}
        </Scroller>
      )}
      {player && <player.Lightbox {...player.props} />}
    </div>
  )
}
