import type { MinuteItem } from '../api/content.ts'
import { useSite } from '../app/site-context.ts'
import { useT } from '../i18n/use-t.ts'
import { Scroller } from '../ui/scroller.tsx'
import styles from './minute-strip.module.css'

/** The latest short news in one row. */
export function MinuteStrip({ items, today }: { items: MinuteItem[]; today?: string | undefined }) {
  const t = useT()
  const { format } = useSite()
  if (items.length === 0) return null
  return (
    <Scroller className={styles.strip} label={t('minutes.title')} keep="minutes">
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <p className={styles.text}>
            <time className={styles.time} dateTime={item.date}>
              {format.clock(item.date, today)}
            </time>
            {item.url ? (
              <a className={styles.link} href={item.url}>
                {item.title}
              </a>
            ) : (
              item.title
            )}
          </p>
        </li>
      ))}
    </Scroller>
  )
}
