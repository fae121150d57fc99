import { useEffect, useRef } from 'react'
import type { MinuteStory, MinutesData } from '../../api/content.ts'
import { applyMeta } from '../../app/head.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { groupBy } from '../../blocks/group-by.ts'
import { GrowingList } from '../../blocks/growing-list.tsx'
import { useT } from '../../i18n/use-t.ts'
import { useSwipe } from '../../ui/use-swipe.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { ownAddress, readerAddress } from './address.ts'
import { Controls } from './controls.tsx'
import { Discussion } from './discussion.tsx'
import styles from './minutes.module.css'
import { Overview } from './overview.tsx'
import { Story } from './story.tsx'
import { useReader } from './use-reader.ts'

const nowhere = () => undefined

/**
 * Short news. All that have come stand in the page, under their days; an edition that prefers a reader shows one of them
 * at a time where scripts run.
 */
export function Page({ page }: PageProps<MinutesData>) {
  const t = useT()
  const { href, format } = useSite()
  const { layout, offset, selected } = page.data
  const single = layout === 'reader'
  const more = useParts(
    page,
    ({ items }) => items,
    ({ data: { next } }) => next ?? null,
  )
  const items = more.items.flat()
  const days = groupBy(items, format.day)
  const reader = useReader(items, more, single)
  const swipe = useSwipe({ previous: reader.previous ?? nowhere, next: reader.next ?? nowhere })
  const current = items[reader.index]
  const top = useShown(single, page, current, reader.index)

  // Where a part begins, for the keyboard to go on there.
  const starts = new Map<number | undefined, number>(more.items.map((part, index) => [part[0]?.id, index]))
  const list = (
    <GrowingList counts={more.items.map((part) => part.length)} more={more} shape={single ? undefined : 'entries'} className={styles.list ?? ''} loaded={(count) => t('minutes.loaded', { count })}>
      {days.map(({ name, items: some }) => (
        <section key={`${name}-${some[0]?.item.id}`} className={styles.day} aria-labelledby={`day-${some[0]?.item.id}`}>
          <h2 id={`day-${some[0]?.item.id}`} className={styles.dayName}>
            {format.fullDate(some[0]?.item.date ?? '')}
          </h2>
          <ol>
            {some.map(({ item, index }) => (
              <li key={item.id} className={styles.item} data-part={starts.get(item.id)} data-current={(single && index === reader.index) || undefined}>
                <Story item={item} first={index === 0} timed={!single} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </GrowingList>
  )
  return (
    <div className={styles.minutes}>
      <header className={styles.head}>
        <h1 tabIndex={-1} className={styles.title}>
          {t('minutes.name')}
        </h1>
        {(offset > 0 || selected !== undefined) && (
          <a className={styles.newest} href={href('minutes')}>
            {t('minutes.newest')}
          </a>
        )}
      </header>
      {items.length === 0 && (
        <p className={styles.empty}>
          {t('minutes.empty')} <a href={href('front')}>{t('minutes.emptyHome')}</a>
        </p>
      )}
      {items.length > 0 && !single && list}
      {items.length > 0 && single && (
        <div className={styles.reader}>
          <div className={styles.main} ref={top}>
            <Controls reader={reader} />
            <div className={styles.surface} {...swipe}>
              {list}
            </div>
            <p role="status">
              <VisuallyHidden>{reader.waiting ? t('action.loading') : reader.index > 0 && current ? `${format.time(current.date)} ${current.title}` : ''}</VisuallyHidden>
            </p>
          </div>
          <div className={styles.side}>
            {current?.discussion && <Discussion key={current.id} item={current} />}
            <Overview days={days} reader={reader} more={more} />
          </div>
        </div>
      )}
    </div>
  )
}

/** Address, title and place follow the item that is shown, without a new page. Returns where its place is kept. */
function useShown(single: boolean, page: PageProps<MinutesData>['page'], current: MinuteStory | undefined, index: number) {
  const { edition } = useSite()
  const top = useRef<HTMLDivElement>(null)
  const shown = useRef(current?.id)
  useEffect(() => {
    if (!single || !current || shown.current === current.id) return
    shown.current = current.id
    const first = index === 0
    window.history.replaceState(window.history.state, '', first ? page.url : (readerAddress(current, edition.paths) ?? page.url))
    applyMeta(document, first ? page.meta : { ...page.meta, title: current.title, canonical: edition.origin + (ownAddress(current) ?? page.url) })
    const place = top.current
    if (place && place.getBoundingClientRect().top < 0) place.scrollIntoView()
  }, [single, page, current, index, edition])
  return top
}
