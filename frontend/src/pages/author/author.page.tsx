import { clsx } from 'clsx/lite'
import type { AuthorData } from '../../api/content.ts'
import { nextPart, sizes } from '../../app/next-part.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { useToday } from '../../app/use-today.ts'
import { CardRows } from '../../blocks/card-rows.tsx'
import { GrowingList } from '../../blocks/growing-list.tsx'
import list from '../../blocks/list-page.module.css'
import { Portrait } from '../../blocks/portrait.tsx'
import { Section } from '../../blocks/section.tsx'
import { splitRows } from '../../blocks/split-rows.ts'
import { VideoRow } from '../../blocks/video-row.tsx'
import { useT } from '../../i18n/use-t.ts'
import styles from './author.module.css'

/** Somebody who writes: who it is, their videos, and all their articles. */
export function Page({ page }: PageProps<AuthorData>) {
  const t = useT()
  const { href } = useSite()
  const today = useToday(page)
  const { author, videos, offset } = page.data
  const path = page.url.split('?')[0] ?? page.url
  const more = useParts(
    page,
    ({ cards }) => cards,
    ({ data: { cards, next } }) => nextPart({ next, count: cards.length, size: sizes.author }),
  )
  const empty = more.items.flat().length === 0
  return (
    <div className={list.page}>
      <header className={styles.head}>
        <div className={styles.portrait}>
          <Portrait author={author} role="profile" />
        </div>
        <div className={styles.words}>
          <h1 tabIndex={-1} className={clsx(list.title, styles.name)}>
            {author.name}
          </h1>
          {author.role && <p className={styles.role}>{author.role}</p>}
        </div>
        {author.bio && <p className={styles.bio}>{author.bio}</p>}
      </header>
      {offset === 0 && videos.length > 0 && (
        <Section title={t('author.videos')}>
          <VideoRow cards={videos} label={t('author.videos')} today={today} />
        </Section>
      )}
      <Section title={t('author.articles')}>
        {offset > 0 && (
          <p className={styles.newest}>
            <a className={list.more} href={path}>{t('author.newest')}</a>
          </p>
        )}
        {empty ? (
          <p className={clsx(list.empty, styles.empty)}>
            {t('author.empty')} <a href={href('front')}>{t('author.emptyHome')}</a>
          </p>
        ) : (
          <GrowingList counts={more.items.map((part) => part.length)} more={more} shape="cards">
            {more.items.map((part, index) => (
              <div key={part[0]?.id ?? index} data-part={index}>
                {part.length > 0 && <CardRows rows={splitRows(part)} today={today} />}
              </div>
            ))}
          </GrowingList>
        )}
      </Section>
    </div>
  )
}
