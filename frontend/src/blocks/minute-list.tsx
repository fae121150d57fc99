import { clsx } from 'clsx/lite'
import type { MinuteItem } from '../api/content.ts'
import { useSite } from '../app/site-context.ts'
import styles from './minute-list.module.css'

/** Short news below each other, with their texts. */
export function MinuteList({ items, today, wide = false }: { items: MinuteItem[]; today?: string | undefined; wide?: boolean }) {
  const { format } = useSite()
  return (
    <ol className={clsx(styles.list, wide && styles.wide)}>
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <p>
            <time className={styles.time} dateTime={item.date}>
              {format.clock(item.date, today)}
            </time>
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
