import { clsx } from 'clsx/lite'
import type { Topic, TopicIndexData } from '../../api/content.ts'
import { nextPart, sizes } from '../../app/next-part.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { groupBy } from '../../blocks/group-by.ts'
import { GrowingList } from '../../blocks/growing-list.tsx'
import list from '../../blocks/list-page.module.css'
import { Section } from '../../blocks/section.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Cover } from './cover.tsx'
import { Current } from './current.tsx'
import styles from './index.module.css'

/** All weekly topics: the current one with its covers, then a shelf for each year. */
export function Page({ page }: PageProps<TopicIndexData>) {
  const t = useT()
  const { href, format } = useSite()
  const { current, offset } = page.data
  const more = useParts(
    page,
    ({ topics }) => topics,
    ({ data: { topics, next } }) => nextPart({ next, count: topics.length, size: sizes.topics }),
  )
  const starts = new Map(more.items.map((part, index) => [part[0]?.slug, index]))
  const topics = more.items.flat()
  return (
    <div className={styles.topics}>
      <h1 tabIndex={-1} className={clsx(list.title, styles.title)}>
        {t('topics.title')}
      </h1>
      {offset > 0 && (
        <p>
          <a className={list.more} href={href('topicIndex')}>
            {t('topics.newest')}
          </a>
        </p>
      )}
      {current && offset === 0 && <Current topic={current} />}
      {topics.length === 0 ? (
        <p className={list.empty}>
          {t('topics.empty')} <a href={href('front')}>{t('topics.emptyHome')}</a>
        </p>
      ) : (
        <GrowingList counts={more.items.map((part) => part.length)} more={more} shape="covers" loaded={(count) => t('topics.loaded', { count })}>
          {groupBy(topics, (date) => format.day(date).slice(0, 4)).map(({ name, items }) => (
            <Section key={name} title={name}>
              <Shelf items={items.map(({ item }) => item)} starts={starts} />
            </Section>
          ))}
        </GrowingList>
      )}
    </div>
  )
}

function Shelf({ items, starts }: { items: Topic[]; starts: Map<string | undefined, number> }) {
  return (
    <ol className={styles.shelf}>
      {items.map((topic) => (
        <li key={topic.slug} data-part={starts.get(topic.slug)}>
          <Cover topic={topic} />
        </li>
      ))}
    </ol>
  )
}
