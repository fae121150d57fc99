import type { Section } from '../api/content.ts'
import { useT } from '../i18n/use-t.ts'
import styles from './breadcrumbs.module.css'

/** Section and subsection, separated by a bar. The last is where the reader is, and no link when `current` says so. */
export function Breadcrumbs({ sections, current = false }: { sections: Section[]; current?: boolean }) {
  const t = useT()
  return (
    <nav className={styles.crumbs} aria-label={t('breadcrumbs.label')}>
      <ol>
        {sections.map((section, index) => (
          <li key={section.url}>
            {current && index === sections.length - 1 ? <span aria-current="page">{section.name}</span> : <a href={section.url}>{section.name}</a>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
