import { clsx } from 'clsx/lite'
import styles from './placeholders.module.css'

/** What is on its way: cards of a row, covers of a shelf, or entries of a list with more words than picture. */
export type Shape = 'cards' | 'covers' | 'entries'

const places = [0, 1, 2, 3]

/** The shapes of what is on its way, where it will stand. They are for the eye alone: the button says that something loads. */
export function Placeholders({ shape }: { shape: Shape }) {
  return (
    <div className={clsx(styles.placeholders, styles[shape])} aria-hidden="true" data-placeholders data-print="hide">
      {places.map((place) => (
        <div key={place} className={styles.place}>
          <div className={styles.picture} />
          <div className={styles.words} />
        </div>
      ))}
    </div>
  )
}
