import { clsx } from 'clsx/lite'
import type { CategoryData } from '../../api/content.ts'
import { Breadcrumbs } from '../../blocks/breadcrumbs.tsx'
import list from '../../blocks/list-page.module.css'
import { useT } from '../../i18n/use-t.ts'
import styles from './head.module.css'

/** What the section is called, where it belongs and what belongs to it. */
export function Head({ data: { section, parent, description, children, offset }, path }: { data: CategoryData; path: string }) {
  const t = useT()
  return (
    <header className={styles.head}>
      {parent && <Breadcrumbs sections={[parent, section]} current />}
      <h1 tabIndex={-1} className={clsx(list.title, styles.title)}>
        {section.name}
      </h1>
      {description && <p className={styles.description}>{description}</p>}
      {children.length > 0 && (
        <nav aria-label={t('category.children')} data-print="hide">
          <ul className={styles.children}>
            {children.map((child) => (
              <li key={child.key}>
                <a className={styles.child} href={child.url}>
                  {child.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {offset > 0 && (
        <p>
          <a className={clsx(list.more, styles.newest)} href={path}>
            {t('category.newest')}
          </a>
        </p>
      )}
    </header>
  )
}
