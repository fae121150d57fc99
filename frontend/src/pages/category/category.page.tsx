import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { errorCode } from '../../api/error.ts'
import type { Card as CardData, CategoryData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { withStatus } from '../../app/status.ts'
import { useMore } from '../../app/use-more.ts'
import { useSite } from '../../app/site-context.ts'
import { useToday } from '../../app/use-today.ts'
import { Card } from '../../blocks/card.tsx'
import { CardRows } from '../../blocks/card-rows.tsx'
import { LoadMore } from '../../blocks/load-more.tsx'
import { Section } from '../../blocks/section.tsx'
import { splitRows } from '../../blocks/split-rows.ts'
import { VideoRow } from '../../blocks/video-row.tsx'
import { useT } from '../../i18n/use-t.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './category.module.css'
import { Head } from './head.tsx'
import { LoginBanner } from './login-banner.tsx'

/** Cards above the videos: the lead and a row of 3 and one of 4. */
const above = 8

export function Page({ page }: PageProps<CategoryData>) {
  const t = useT()
  const { href } = useSite()
  const today = useToday(page)
  const navigate = useNavigate()
  const { data } = page
  const path = page.url.split('?')[0] ?? page.url
  const more = useMore<CategoryData, CardData[]>(
    page,
    { items: ({ cards }) => [cards], next: ({ data: { nextOffset } }) => (nextOffset === undefined ? null : `${path}?offset=${nextOffset}`) },
    (error) => void navigate(withStatus(page.url, errorCode(error))),
  )
  const [first = [], ...parts] = more.items
  const opening = data.offset === 0
  const [lead, ...rest] = first
  const list = useArrivals(parts.length)

  const [shown, remaining] = opening ? [rest.slice(0, above - 1), rest.slice(above - 1)] : [[], first]
  return (
    <div className={styles.category}>
      <Head data={data} path={path} />
      {!lead && (
        <p className={styles.empty}>
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
      {(remaining.length > 0 || parts.length > 0) && (
        <Section title={t('category.more')}>
          <div ref={list} className={styles.parts}>
            {[remaining, ...parts].map((part, index) => (
              <div key={part[0]?.id ?? index} className={styles.part} data-part={index}>
                <CardRows rows={splitRows(part)} today={today} />
              </div>
            ))}
          </div>
        </Section>
      )}
      <div>
        <LoadMore more={more} />
        <p role="status">
          <VisuallyHidden>{parts.length > 0 && t('category.loaded', { count: parts.at(-1)?.length ?? 0 })}</VisuallyHidden>
        </p>
      </div>
    </div>
  )
}

/** After a part has come, whoever asked for it by keyboard goes on at its first headline; the button they used is gone. */
function useArrivals(parts: number) {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(parts)
  useEffect(() => {
    if (parts <= before.current) return
    before.current = parts
    if (document.activeElement && document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-part="${parts}"] :is(h2, h3) a`)?.focus({ preventScroll: true })
  }, [parts])
  return list
}
