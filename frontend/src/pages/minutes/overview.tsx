import { clsx } from 'clsx'
import { useEffect, useRef, type MouseEvent } from 'react'
import type { MinuteStory } from '../../api/content.ts'
import type { More } from '../../app/use-more.ts'
import { useSite } from '../../app/site-context.ts'
import type { Group } from '../../blocks/group-by.ts'
import { LoadMore } from '../../blocks/load-more.tsx'
import { useT } from '../../i18n/use-t.ts'
import { readerAddress } from './address.ts'

import styles from './overview.module.css'
import type { Reader } from './use-reader.ts'

interface OverviewProps {
  days: Group<MinuteStory>[]
  reader: Reader
  more: Pick<More<unknown>, 'next' | 'loading' | 'load'>
}

/** On a wide screen, beside the one that is shown: all that have come, under their days. */
export function Overview({ days, reader, more }: OverviewProps) {
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

  // Whoever fetched more by keyboard goes on at the first of it: the button they used is gone.
  const asked = useRef<number | null>(null)
  const count = days.reduce((sum, { items }) => sum + items.length, 0)
  useEffect(() => {
    if (asked.current === null || count <= asked.current) return
    if (document.activeElement === document.body) box.current?.querySelectorAll('a')[asked.current]?.focus()
    asked.current = null
  }, [count])
  const load = () => {
    asked.current = count
    more.load()
  }

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
      <LoadMore more={{ ...more, load }} />
    </nav>
  )
}
