import type { PageItem } from '../../api/content.ts'
import { asSafeHtml } from '../../api/html.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Prose } from '../../ui/prose.tsx'
import type { ItemsProps } from './items.ts'
import styles from './timeline.module.css'

const yearOf = (item: PageItem) => item.date?.slice(0, 4) ?? ''

/** What happened, in order; the year stands large beside the first entry of each. */
export function Timeline({ items, name, titled }: ItemsProps) {
  const t = useT()
  const { format } = useSite()
  const Title = titled ? 'h3' : 'h2'
  const words = (date: string) => (date.length > 7 ? format.longDate(`${date}T12:00:00Z`) : t('static.month', { month: String(Number(date.slice(5, 7))), year: date.slice(0, 4) }))
  return (
    <ol className={styles.timeline}>
      {items.map((item, index) => {
        const first = index === 0 || yearOf(item) !== yearOf(items[index - 1] ?? item)
        return (
          <li key={index} className={first ? styles.first : styles.entry}>
            {first && (
              <span className={styles.year} aria-hidden="true">
                {yearOf(item)}
              </span>
            )}
            <div className={styles.what}>
              {item.date && (
                <time className={styles.date} dateTime={item.date}>
                  {words(item.date)}
                </time>
              )}
              <Title className={styles.title}>{item.title}</Title>
              {item.subtitle && <p className={styles.date}>{item.subtitle}</p>}
              {item.html && <Prose name={`${name}-${index}`} html={asSafeHtml(item.html)} />}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
