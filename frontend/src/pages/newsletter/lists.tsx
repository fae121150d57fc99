import type { NewsletterChoice } from '../../api/content.ts'
import styles from './newsletter.module.css'

interface ListsProps {
  title: string
  lists: readonly NewsletterChoice[]
  /** Which boxes are ticked at first. */
  chosen: (list: NewsletterChoice) => boolean
}

/** The newsletters of the edition, each with a box of its own. */
export function Lists({ title, lists, chosen }: ListsProps) {
  return (
    <fieldset className={styles.lists}>
      <legend className={styles.legend}>{title}</legend>
      {lists.map((list) => (
        <div key={list.id} className={styles.list}>
          <input type="checkbox" name="lists" value={list.id} id={`list-${list.id}`} defaultChecked={chosen(list)} aria-describedby={`about-${list.id}`} className={styles.box} />
          <div>
            <label htmlFor={`list-${list.id}`} className={styles.name}>
              {list.name}
            </label>
            <p id={`about-${list.id}`} className={styles.about}>
              <span className={styles.schedule}>{list.schedule}</span>
              {list.description}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  )
}
