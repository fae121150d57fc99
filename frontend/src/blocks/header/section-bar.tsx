import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Count } from './count.tsx'
import styles from './header.module.css'

/** The edition's main menu in one line, which scrolls where it is too long. */
export function SectionBar({ pathname }: { pathname: string }) {
  const t = useT()
  const { edition } = useSite()
  return (
    <nav className={styles.bar} aria-label={t('header.nav')} data-print="hide">
      <ul className={styles.sections}>
        {edition.menus.main.map((item) => (
          <li key={item.url}>
            <a className={styles.section} href={item.url} aria-current={item.url === pathname ? 'page' : undefined}>
              {item.name}
              <Count url={item.url} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
