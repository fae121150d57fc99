import { clsx } from 'clsx/lite'
import { FormattedMessage } from 'react-intl'
import { nextPart, sizes, withOffset } from '../../app/next-part.ts'
import type { SearchData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useParts } from '../../app/use-parts.ts'
import { useToday } from '../../app/use-today.ts'
import { CardRows } from '../../blocks/card-rows.tsx'
import { GrowingList } from '../../blocks/growing-list.tsx'
import list from '../../blocks/list-page.module.css'
import { SearchForm } from '../../blocks/search-form.tsx'
import { Section } from '../../blocks/section.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Asides } from './asides.tsx'
import { Authors } from './authors.tsx'
import { Hit } from './hit.tsx'
import styles from './search.module.css'

/** What was found for a term, or what others look for when none was given. */
export function Page({ page }: PageProps<SearchData>) {
  const t = useT()
  const { href, format } = useSite()
  const today = useToday(page)
  const { term, authors, suggestion, total } = page.data
  const more = useParts(
    page,
    ({ cards }) => cards,
    ({ url, data: { cards, nextOffset } }) => nextPart({ next: nextOffset === undefined ? undefined : withOffset(url, nextOffset), count: cards.length, size: sizes.search }),
  )
  const hits = more.items.flat()
  const starts = new Map(more.items.map((part, index) => [part[0]?.id, index]))
  const found = hits.length > 0 || authors.length > 0
  const cards = page.data.mostRead ?? []
  const offered = cards.length > 0 && (
    <Section title={t('notFound.mostRead')}>
      <CardRows rows={[cards.slice(0, 3), cards.slice(3, 6)].filter((row) => row.length > 0)} today={today} />
    </Section>
  )
  return (
    <div className={styles.search}>
      <header className={styles.head}>
        <h1 tabIndex={-1} className={clsx(list.title, styles.title)}>
          {t('search.title')}
        </h1>
        <SearchForm key={term} term={term} />
        {suggestion && (
          <p className={styles.suggestion}>
            <FormattedMessage id="search.suggestion" values={{ term: suggestion, link: (words) => <a className={list.more} href={href('searchTerm', { searchSlug: suggestion })}>{words}</a> }} />
          </p>
        )}
      </header>
      <div className={term || offered ? styles.columns : styles.asides}>
        {(term || offered) && (
          <div className={styles.main}>
            {term && !found && <p className={styles.empty}>{t('search.empty')}</p>}
            {!found && offered}
            {authors.length > 0 && <Authors title={t('search.authors')} authors={authors} />}
            {hits.length > 0 && (
              <section aria-labelledby="search-hits">
                <h2 id="search-hits" className={styles.count}>
                  {t('search.articles', { count: total, shown: format.number(total) })}
                </h2>
                <GrowingList counts={more.items.map((part) => part.length)} more={more} shape="entries">
                  <ol className={styles.hits}>
                    {hits.map((hit) => (
                      <li key={hit.id} data-part={starts.get(hit.id)}>
                        <Hit hit={hit} today={today} />
                      </li>
                    ))}
                  </ol>
                </GrowingList>
              </section>
            )}
          </div>
        )}
        <Asides mostSearched={page.data.mostSearched} mostReadAuthors={page.data.mostReadAuthors} />
      </div>
    </div>
  )
}
