import type { CategoryData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { useToday } from '../../app/use-today.ts'
import { Card } from '../../blocks/card.tsx'
import { CardRows } from '../../blocks/card-rows.tsx'
import { GrowingList } from '../../blocks/growing-list.tsx'
import list from '../../blocks/list-page.module.css'
import { Section } from '../../blocks/section.tsx'
import { splitRows } from '../../blocks/split-rows.ts'
import { VideoRow } from '../../blocks/video-row.tsx'
import { useT } from '../../i18n/use-t.ts'
import styles from './category.module.css'
import { Head } from './head.tsx'
import { LoginBanner } from './login-banner.tsx'

/** Cards above the videos: the lead and a row of 3 and one of 4. */
const above = 8

export function Page({ page }: PageProps<CategoryData>) {
  const t = useT()
  const { href } = useSite()
  const today = useToday(page)
  const { data } = page
  const path = page.url.split('?')[0] ?? page.url
  const more = useParts(
    page,
    ({ cards }) => cards,
    ({ data: { next } }) => next ?? null,
  )
  const [first = [], ...parts] = more.items
  const opening = data.offset === 0
  const [lead, ...rest] = first

  const [shown, remaining] = opening ? [rest.slice(0, above - 1), rest.slice(above - 1)] : [[], first]
  return (
    <div className={list.page}>
      <Head data={data} path={path} />
      {!lead && (
        <p className={list.empty}>
          {t('category.empty')} <a href={opening ? href('front') : path}>{opening ? t('category.emptyHome') : t('category.newest')}</a>
        </p>
      )}
      {opening && lead && (
        <div className={styles.top}>
          <Card card={lead} size={lead.title.length > 56 ? 'h2' : 'title'} level={2} picture="lead" narrow="stack" excerpt beside eager today={today} />
          {shown.length > 0 && <CardRows rows={splitRows(shown, 3)} level={2} today={today} />}
        </div>
      )}
      {opening && page.tier === 'anonymous' && <LoginBanner path={path} {...(data.offer ? { offer: data.offer } : {})} />}
      {opening && page.tier !== 'anonymous' && data.videos.length > 0 && (
        <Section title={t('category.videos')}>
          <VideoRow cards={data.videos} label={t('category.videos')} today={today} />
        </Section>
      )}
      {(remaining.length + parts.length > 0 || more.next !== null) && (
        <Section title={t('category.more')}>
          <GrowingList counts={more.items.map((part) => part.length)} more={more} shape="cards">
            {[remaining, ...parts].map((part, index) => (
              <div key={part[0]?.id ?? index} data-part={index}>
                {part.length > 0 && <CardRows rows={splitRows(part)} today={today} />}
              </div>
            ))}
          </GrowingList>
        </Section>
      )}
    </div>
  )
}
