import { clsx } from 'clsx/lite'
import type { VideosData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { useToday } from '../../app/use-today.ts'
import { Card } from '../../blocks/card.tsx'
import { GrowingList } from '../../blocks/growing-list.tsx'
import { useLightbox } from '../../blocks/lightbox/use-lightbox.ts'
import list from '../../blocks/list-page.module.css'
import { useT } from '../../i18n/use-t.ts'
import styles from './videos.module.css'

/** All videos, the newest large. They are links to their articles; where scripts run, a click plays them here. */
export function Page({ page }: PageProps<VideosData>) {
  const t = useT()
  const { href } = useSite()
  const today = useToday(page)
  const more = useParts(
    page,
    ({ cards }) => cards,
    ({ data: { next } }) => next ?? null,
  )
  const { onClick, player } = useLightbox(more.items.flat())
  const opening = page.data.offset === 0
  const [first = [], ...parts] = more.items
  const lead = opening ? first[0] : undefined
  const rest = lead ? first.slice(1) : first
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- it only hears what is clicked within: links
    <div className={styles.videos} onClick={onClick}>
      <header className={styles.head}>
        <h1 tabIndex={-1} className={list.title}>
          {t('videos.title')}
        </h1>
        {!opening && (
          <a className={clsx(list.more, styles.newest)} href={href('videos')}>
            {t('videos.newest')}
          </a>
        )}
      </header>
      {lead && <Card card={lead} size="h2" level={2} picture="lead" narrow="stack" excerpt beside eager today={today} />}
      {first.length === 0 ? (
        <p className={clsx(list.empty, styles.empty)}>
          {t('videos.empty')} <a href={href('front')}>{t('videos.emptyHome')}</a>
        </p>
      ) : (
        <GrowingList counts={more.items.map((part) => part.length)} more={more} shape="cards" loaded={(count) => t('videos.loaded', { count })}>
          {[rest, ...parts].map((part, index) => (
            <ul key={part[0]?.id ?? index} className={styles.row} data-part={index}>
              {part.map((card) => (
                <li key={card.id}>
                  <Card card={card} size="h6" level={2} picture="video" narrow="stack" today={today} />
                </li>
              ))}
            </ul>
          ))}
        </GrowingList>
      )}
      {player && <player.Lightbox {...player.props} />}
    </div>
  )
}
