import { clsx } from 'clsx/lite'
import type { Card as CardData } from '../../api/content.ts'
import { Card } from '../../blocks/card.tsx'
import grid from '../../blocks/grid.module.css'
import styles from './front.module.css'

/** Above so many letters the first headline takes the smaller size, or it would push everything else off the screen. */
const longTitle = 56

/** The first story of the day with the next top stories beside it, and the newest below. */
export function Lead({ cards, second = [], today }: { cards: CardData[]; second?: CardData[]; today?: string | undefined }) {
  const [first, ...rail] = cards
  if (!first) return null
  const size = first.title.length > longTitle ? 'title' : 'h1'
  return (
    <div className={clsx(grid.grid, styles.top)}>
      <div className={rail.length > 0 ? grid.span8 : undefined}>
        <div className={styles.first}>
          <Card card={first} size={size} level={2} picture="lead" narrow="stack" excerpt eager beside={rail.length === 0} today={today} />
        </div>
        {second.length > 0 && (
          <div className={styles.second}>
            {second.map((card) => (
              <Card key={card.id} card={card} size="h5" level={2} today={today} />
            ))}
          </div>
        )}
      </div>
      {rail.length > 0 && (
        <div className={clsx(grid.span4, grid.ruled, styles.rail)}>
          {rail.map((card, index) => (
            <Card key={card.id} card={card} size={index === 0 ? 'h4' : 'h5'} level={2} picture={index === 0 ? 'c4' : undefined} today={today} />
          ))}
        </div>
      )}
    </div>
  )
}
