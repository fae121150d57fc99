import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Count } from './count.tsx'
import styles from './panel.module.css'

/** All sections with their subsections, and what the foot of the page offers. */
export function MenuPanel({ pathname }: { pathname: string }) {
  const t = useT()
  const { edition, href } = useSite()
  const link = (url: string, name: string) => (
    <a href={url} aria-current={url === pathname ? 'page' : undefined}>
      {name}
      <Count url={url} />
    </a>
  )
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
        {edition.menus.footer.map((group) => (
          <li key={group.title}>
            <p className={styles.heading}>{group.title}</p>
            <ul>
              {group.items.map((item) => (
                <li key={item.url}>{link(item.url, item.name)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  )
}
