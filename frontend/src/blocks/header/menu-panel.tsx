import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Count } from './count.tsx'
import styles from './panel.module.css'

/** All sections with their subsections, and where the paper looks for people. */
export function MenuPanel({ pathname }: { pathname: string }) {
  const t = useT()
  const { edition, href } = useSite()
  const link = (url: string, name: string) => (
    <a href={url} aria-current={url === pathname ? 'page' : undefined}>
      {name}
    </a>
  )
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
      {career && (
        <p className={styles.career}>
          {link(career.url, career.name)}
          <Count url={career.url} />
        </p>
      )}
    </nav>
  )
}
