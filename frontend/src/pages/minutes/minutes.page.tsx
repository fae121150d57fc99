import { clsx } from 'clsx/lite'
import type { MinutesData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { groupBy } from '../../blocks/group-by.ts'
import { GrowingList } from '../../blocks/growing-list.tsx'
import list from '../../blocks/list-page.module.css'
import { useT } from '../../i18n/use-t.ts'
import { useSwipe } from '../../ui/use-swipe.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Controls } from './controls.tsx'
import styles from './minutes.module.css'
import { Overview } from './overview.tsx'
import { Story } from './story.tsx'
import { usePlace } from './use-place.ts'
import { useReader } from './use-reader.ts'

const nowhere = () => undefined

/**
 * Short news: all that have come, one below the other under their days, the same with and without scripts. The one that
 * was opened is marked and in view. An edition may have it leafed through as well, by buttons, keys and swipes.
 */
export function Page({ page }: PageProps<MinutesData>) {
  const t = useT()
  const { href, format } = useSite()
  const { layout, offset, selected } = page.data
  const leafed = layout === 'reader'
  const more = useParts(
    page,
    ({ items }) => items,
    ({ data: { next } }) => next ?? null,
  )
  const items = more.items.flat()
  const days = groupBy(items, format.day)
  const reader = useReader(items, more, { keys: leafed, opened: selected !== undefined })
  const swipe = useSwipe({ previous: reader.previous ?? nowhere, next: reader.next ?? nowhere })
  const place = usePlace(page, items, reader)
  const opened = reader.opened === null ? undefined : items[reader.opened]

  // Where a part begins, for the keyboard to go on there.
  const starts = new Map<number | undefined, number>(more.items.map((part, index) => [part[0]?.id, index]))
  return (
    <div className={styles.minutes}>
      <header className={styles.head}>
        <h1 tabIndex={-1} className={clsx(list.title, styles.title)}>
          {t('minutes.name')}
        </h1>
        {(offset > 0 || selected !== undefined) && (
          <a className={clsx(list.more, styles.newest)} href={href('minutes')}>
            {t('minutes.newest')}
          </a>
        )}
      </header>
      {items.length === 0 && (
        <p className={list.empty}>
          {t('minutes.empty')} <a href={href('front')}>{t('minutes.emptyHome')}</a>
        </p>
      )}
      {items.length > 0 && (
        <div className={styles.reader}>
          <div className={styles.main} ref={place} {...(leafed ? swipe : {})}>
            {leafed && <Controls reader={reader} />}
            <GrowingList counts={more.items.map((part) => part.length)} more={more} shape="entries" className={styles.list ?? ''} loaded={(count) => t('minutes.loaded', { count })}>
              {days.map(({ name, items: some }) => (
                <section key={`${name}-${some[0]?.item.id}`} aria-labelledby={`day-${some[0]?.item.id}`}>
                  <h2 id={`day-${some[0]?.item.id}`} className={styles.dayName}>
                    {format.fullDate(some[0]?.item.date ?? '')}
                  </h2>
                  <ol>
                    {some.map(({ item, index }) => (
                      <li key={item.id} className={styles.item} data-part={starts.get(item.id)} data-index={index} data-current={index === reader.opened || undefined}>
                        <Story item={item} first={index === 0} />
                      </li>
                    ))}
                  </ol>
                </section>
              ))}
            </GrowingList>
            <p role="status">
              <VisuallyHidden>{reader.waiting ? t('action.loading') : opened && reader.opened ? `${format.time(opened.date)} ${opened.title}` : ''}</VisuallyHidden>
            </p>
          </div>
          <div className={styles.side}>
            <Overview days={days} reader={reader} />
          </div>
        </div>
      )}
    </div>
  )
}
