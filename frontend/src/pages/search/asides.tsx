import type { Byline } from '../../api/content.ts'
import { cachedOnServer } from '../../app/server-cache.tsx'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Authors } from './authors.tsx'
import styles from './search.module.css'

/** What others look for, and whom they read. */
export const Asides = cachedOnServer('search-asides', function Asides({ mostSearched, mostReadAuthors }: { mostSearched: string[]; mostReadAuthors: Byline[] }) {
  const t = useT()
  const { href } = useSite()
  if (mostSearched.length === 0 && mostReadAuthors.length === 0) return null
  return (
    <div className={styles.side}>
      {mostSearched.length > 0 && (
        <section aria-labelledby="most-searched">
          <h2 id="most-searched" className={styles.sideTitle}>
            {t('search.mostSearched')}
          </h2>
          <ul className={styles.terms}>
            {mostSearched.map((term) => (
              <li key={term}>
                <a href={href('searchTerm', { searchSlug: term })}>{term}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {mostReadAuthors.length > 0 && <Authors title={t('search.mostReadAuthors')} authors={mostReadAuthors} aside />}
    </div>
  )
})
