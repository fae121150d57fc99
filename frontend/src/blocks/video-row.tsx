import type { Card as CardData } from '../api/content.ts'
import { Scroller } from '../ui/scroller.tsx'
import { Card } from './card.tsx'
import styles from './video-row.module.css'

/** How far an arrow moves: one video and its gap, in pixels. */
export const videoStep = 245

/** Videos in a row that scrolls sideways. */
export function VideoRow({ cards, label, today }: { cards: CardData[]; label: string; today?: string | undefined }) {
  return (
    <Scroller label={label} step={videoStep}>
      {cards.map((card) => (
        <li key={card.id} className={styles.video}>
          <Card card={card} size="h6" picture="video" narrow="stack" today={today} />
        </li>
      ))}
    </Scroller>
  )
}
