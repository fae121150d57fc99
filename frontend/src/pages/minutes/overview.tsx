import { clsx } from 'clsx/lite'
import { useEffect, useRef, type MouseEvent } from 'react'
import type { MinuteStory } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import type { Group } from '../../blocks/group-by.ts'
import { useT } from '../../i18n/use-t.ts'
import { readerAddress } from './address.ts'
import styles from './overview.module.css'
import type { Reader } from './use-reader.ts'

interface OverviewProps {
  days: Group<MinuteStory>[]
  reader: Reader
}

/** On a wide screen, beside the stream: the headlines of all that have come, under their days. */
export function Overview({ days, reader }: OverviewProps) {
  const t = useT()
  const { edition, format } = useSite()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const current = box.current?.querySelector<HTMLElement>('[aria-current]')
    if (!box.current || !current) return
    // The list alone moves, never the page.
    const [outer, inner] = [box.current.getBoundingClientRect(), current.getBoundingClientRect()]
    if (inner.top < outer.top + 48) box.current.scrollTop += inner.top - outer.top - 48
    else if (inner.bottom > outer.bottom) box.current.scrollTop += inner.bottom - outer.bottom
  }, [reader.index])

  const onClick = (index: number) => (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    reader.go(index)
  }
  return (
    <nav className={styles.overview} aria-label={t('minutes.all')}>
      <div ref={box} className={styles.box}>
        {days.map(({ name, items }) => (
          <div key={`${name}-${items[0]?.item.id}`}>
            <p className={styles.day}>{format.fullDate(items[0]?.item.date ?? '')}</p>
            <ol>
              {items.map(({ item, index }) => (
                <li key={item.id} className={clsx(styles.item, index === reader.index && styles.current)}>
                  <time className={styles.time} dateTime={item.date}>
                    {format.time(item.date)}
                  </time>
                  <a className={styles.link} href={readerAddress(item, edition.paths)} aria-current={index === reader.index || undefined} onClick={onClick(index)}>
                    {item.title}
                  </a>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
    </nav>
  )
}
