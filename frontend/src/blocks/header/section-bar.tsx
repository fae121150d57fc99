import { cachedOnServer } from '../../app/server-cache.tsx'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Count } from './count.tsx'
import styles from './header.module.css'

interface SectionBarProps {
  /** The path of the page, where the menu leads to it. */
  current?: string | undefined
  /** Key of the category that the page belongs to. */
  section?: string | undefined
}

/** The edition's main menu in one line, which scrolls where it is too long, and on wide windows its sister editions. */
export const SectionBar = cachedOnServer('section-bar', function SectionBar({ current, section = '' }: SectionBarProps) {
  const t = useT()
  const { edition, href } = useSite()
  const { main, editions = [] } = edition.menus
  const within = edition.categories.find(({ key }) => key === section.split('.')[0])
  const holds = within && href('category', { categorySlug: within.slug })
  return (
    <nav className={styles.bar} aria-label={t('header.nav')} data-print="hide">
      <ul className={styles.sections}>
        {main.map(({ name, url }) => (
          <li key={url}>
            <a className={styles.section} href={url} aria-current={url === current ? 'page' : url === holds || undefined}>
              {name}
              <Count url={url} />
            </a>
          </li>
        ))}
        {editions.map(
          ({ name, url }) =>
            url !== `${edition.origin}/` && (
              <li key={url} className={styles.edition}>
                <a className={styles.section} href={url}>
                  {name}
                </a>
              </li>
            ),
        )}
      </ul>
    </nav>
  )
})
