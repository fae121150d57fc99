import { clsx } from 'clsx/lite'
import type { Card as CardData, TopicData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useToday } from '../../app/use-today.ts'
import { Card } from '../../blocks/card.tsx'
import { CardRows } from '../../blocks/card-rows.tsx'
import grid from '../../blocks/grid.module.css'
import list from '../../blocks/list-page.module.css'
import { Section } from '../../blocks/section.tsx'
import { VideoRow } from '../../blocks/video-row.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import { Cover } from './cover.tsx'
import { threes } from './threes.ts'
import styles from './topic.module.css'

/** How many stand at the top. */
const opening = 3

/** One weekly topic: what it is about, its first three articles, the others by threes, its videos, and its neighbours. */
export function Page({ page }: PageProps<TopicData>) {
  const t = useT()
  const { href, has, format } = useSite()
  const today = useToday(page)
  const { topic, cards, videos, newer, older } = page.data
  const [cover] = topic.covers
  const rest = cards.slice(opening)
  return (
    <div className={list.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          <p className={styles.kicker}>
            {has('topicIndex') ? <a href={href('topicIndex')}>{t('topics.kicker')}</a> : t('topics.kicker')} · <time dateTime={topic.date}>{format.when(topic.date)}</time>
          </p>
          <h1 tabIndex={-1} className={styles.title}>
            {topic.title}
          </h1>
          {topic.description && <p className={styles.description}>{topic.description}</p>}
        </div>
        {cover && (
          <div className={styles.cover}>
            <Picture picture={cover} role="cover" decorative />
          </div>
        )}
      </header>
      {cards.length === 0 && (
        <p className={list.empty}>
          {t('topics.noArticles')} {has('topicIndex') && <a href={href('topicIndex')}>{t('topics.all')}</a>}
        </p>
      )}
      {cards.length > 0 && <Top cards={cards.slice(0, opening)} today={today} />}
      {rest.length > 0 && (
        <Section title={t('topics.more')}>
          <CardRows rows={threes(rest)} today={today} />
        </Section>
      )}
      {videos.length > 0 && (
        <Section title={t('videos.title')}>
          <VideoRow cards={videos} label={t('videos.title')} today={today} />
        </Section>
      )}
      {(newer || older) && (
        <nav className={styles.neighbours} aria-label={t('topics.neighbours')} data-print="hide">
          {newer && <Cover topic={newer} label={t('topics.newer')} level={2} small />}
          {older && <Cover topic={older} label={t('topics.older')} level={2} small />}
        </nav>
      )}
    </div>
  )
}

function Top({ cards, today }: { cards: CardData[]; today: string }) {
  const [first, ...others] = cards
  if (!first) return null
  if (others.length === 0) return <Card card={first} size="h2" level={2} picture="lead" narrow="stack" excerpt beside eager today={today} />
  return (
    <div className={clsx(grid.grid, styles.top)}>
      <div className={grid.span8}>
        <Card card={first} size="h2" level={2} picture="lead" narrow="stack" excerpt eager today={today} />
      </div>
      <div className={clsx(grid.span4, grid.ruled, styles.rail)}>
        {others.map((card) => (
          <Card key={card.id} card={card} size="h5" level={2} picture="c4" today={today} />
        ))}
      </div>
    </div>
  )
}
