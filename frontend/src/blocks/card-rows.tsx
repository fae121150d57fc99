import { clsx } from 'clsx/lite'
import type { Card as CardData } from '../api/content.ts'
import { Card } from './card.tsx'
import styles from './card-rows.module.css'

const roles = ['c6', 'c6', 'c4', 'c3'] as const
const classes = [styles.one, styles.two, styles.three, styles.four]

interface CardRowsProps {
  rows: CardData[][]
  level?: 2 | 3
  /** Which rows show pictures; all, unless told. */
  pictures?: (row: number) => boolean
  today?: string | undefined
}

/** Rows of two to four cards with hairlines between them; a single card takes the width of its row. */
export function CardRows({ rows, level = 3, pictures = () => true, today }: CardRowsProps) {
  return (
    <div className={styles.rows}>
      {rows.map((row, index) => (
        <div key={row[0]?.id} className={clsx(styles.row, classes[Math.min(row.length, 4) - 1])}>
          {row.map((card) => (
            <Card
              key={card.id}
              card={card}
              level={level}
              picture={pictures(index) ? roles[Math.min(row.length, 4) - 1] : undefined}
              excerpt={row.length === 1}
              beside={row.length === 1}
              today={today}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
