import { clsx } from 'clsx'
import type { MinuteItem } from '../api/content.ts'
import { useSite } from '../app/site-context.ts'
import styles from './minute-list.module.css'

/** Short news below each other, with their texts. */
export function MinuteList({ items, wide = false }: { items: MinuteItem[]; wide?: boolean }) {
  const { format } = useSite()
  return (
    <ol className={clsx(styles.list, wide && styles.wide)}>
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <time className={styles.time} dateTime={item.date}>
            {format.time(item.date)}
          </time>
          <p className={styles.text}>
            {item.url ? (
              <a className={styles.link} href={item.url}>
                {item.title}
              </a>
            ) : (
              <strong className={styles.title}>{item.title}</strong>
            )}
            {item.text && <span className={styles.more}>{item.text}</span>}
          </p>
        </li>
      ))}
    </ol>
  )
}
