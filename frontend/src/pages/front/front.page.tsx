import { clsx } from 'clsx/lite'
import type { FrontData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useToday } from '../../app/use-today.ts'
import { CardRows } from '../../blocks/card-rows.tsx'
import { MinuteStrip } from '../../blocks/minute-strip.tsx'
import list from '../../blocks/list-page.module.css'
import { Section } from '../../blocks/section.tsx'
import { splitRows } from '../../blocks/split-rows.ts'
import { VideoRow } from '../../blocks/video-row.tsx'
import { useT } from '../../i18n/use-t.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Featured } from './featured.tsx'
import styles from './front.module.css'
import { Last } from './last.tsx'
import { Lead } from './lead.tsx'
import { Topic } from './topic.tsx'
import { Views } from './views.tsx'

export function Page({ page }: PageProps<FrontData>) {
  const { data } = page
  const t = useT()
  const { edition, href, has } = useSite()
  const today = useToday(page)
  const blocks = data.sections.filter(({ cards }) => cards.length > 0)
  const section = (index: number) => {
    const block = blocks[index]
    return block && <Block key={block.section.key} block={block} turned={index % 2 === 1} today={today} />
  }
  return (
    <div className={styles.front}>
      <h1 tabIndex={-1}>
        <VisuallyHidden>
          {edition.name}. {edition.tagline}
        </VisuallyHidden>
      </h1>
      {data.minutes.length > 0 && (
        <a className={styles.skip} href="#stories" data-native>
          {t('front.skipMinutes')}
        </a>
      )}
      <MinuteStrip items={data.minutes} today={today} />
      <div id="stories" tabIndex={-1} className={styles.stories}>
        {data.lead.length > 0 ? <Lead cards={data.lead} second={data.second} today={today} /> : <p className={styles.empty}>{t('front.empty')}</p>}
      </div>
      <div className={clsx(list.page, styles.after)}>
        <Featured cards={data.featured} today={today} />
        {data.picks.length > 0 && (
          <Section title={t('front.picks')}>
            <CardRows rows={splitRows(data.picks)} today={today} />
          </Section>
        )}
        {section(0)}
        <Views opinion={data.opinion} mostRead={data.mostRead} />
        {section(1)}
        {data.topic && <Topic block={data.topic} today={today} />}
        {data.videos.length > 0 && (
          <Section title={t('videos.title')} {...(has('videos') ? { href: href('videos'), all: t('front.allVideos') } : {})}>
            <VideoRow cards={data.videos} label={t('videos.title')} today={today} />
          </Section>
        )}
        {blocks.slice(2).map((_, index) => section(index + 2))}
        <Last special={data.special} minutes={data.minutes} today={today} />
      </div>
    </div>
  )
}

/** A category: rows of 4 and 3, of which the second has words alone. Every other block begins with the three. */
function Block({ block, turned, today }: { block: FrontData['sections'][number]; turned: boolean; today: string | undefined }) {
  return (
    <Section title={block.section.name} href={block.section.url}>
      <CardRows rows={splitRows(block.cards, turned ? 3 : 4)} pictures={(row) => row === 0} today={today} />
    </Section>
  )
}
