import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Count } from './count.tsx'
import styles from './panel.module.css'

/** All sections with their subsections, what the paper has beside them, and its sister editions. */
export function MenuPanel({ pathname }: { pathname: string }) {
  const t = useT()
  const { edition, href } = useSite()
  const link = (url: string, name: string) => (
    <a href={url} aria-current={url === pathname ? 'page' : undefined}>
      {name}
    </a>
  )
  const { main, editions = [] } = edition.menus
  const sections = edition.categories.map(({ slug }) => href('category', { categorySlug: slug }))
  const career = edition.menus.footer.flatMap(({ items }) => items).find(({ url }) => url === edition.paths.career)
  return (
    <nav id="header-menu" className={styles.panel} aria-label={t('header.menu')}>
      <ul className={styles.columns}>
        {edition.categories.map((category) => (
          <li key={category.slug}>
            <p className={styles.heading}>{link(href('category', { categorySlug: category.slug }), category.name)}</p>
            <ul>
              {category.children?.map((child) => (
                <li key={child.slug}>{link(href('category', { categorySlug: child.slug }), child.name)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <ul className={styles.more}>
        {[...main.filter(({ url }) => !sections.includes(url) && url !== career?.url), ...(career ? [career] : [])].map(({ name, url }) => (
          <li key={url}>
            {link(url, name)}
            <Count url={url} />
          </li>
        ))}
      </ul>
      {editions.length > 0 && (
        <ul className={styles.more} aria-label={t('footer.editions')}>
          {editions.map(({ name, url }) => (
            <li key={url}>
              <a href={url} aria-current={url === `${edition.origin}/` || undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}
