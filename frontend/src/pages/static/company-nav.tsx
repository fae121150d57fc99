import { useEffect, useRef } from 'react'
import { useSite } from '../../app/site-context.ts'
import { Count } from '../../blocks/header/count.tsx'
import type { RouteId } from '../../editions/types.ts'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './company-nav.module.css'

const routes: [RouteId, MessageId][] = [
  ['company', 'static.nav.company'],
  ['history', 'static.nav.history'],
  ['organisation', 'static.nav.organisation'],
  ['principles', 'static.nav.principles'],
  ['career', 'static.nav.career'],
  ['contacts', 'static.nav.contacts'],
]

/** The pages about the company, those that the edition has. */
export function CompanyNav({ path }: { path: string }) {
  const t = useT()
  const { href, has } = useSite()
  const list = useRef<HTMLUListElement>(null)
  // Where the list scrolls sideways, the page that is open is to be seen in it.
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && here) list.current.scrollLeft = here.offsetLeft - list.current.offsetLeft - list.current.clientWidth / 3
  }, [path])
  return (
    <nav className={styles.nav} aria-label={t('static.nav')} data-print="hide">
      <ul ref={list} className={styles.list}>
        {routes
          .filter(([id]) => has(id))
          .map(([id, words]) => (
            <li key={id}>
              <a className={styles.link} href={href(id)} aria-current={href(id) === path ? 'page' : undefined}>
                {t(words)}
                <Count url={href(id)} />
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}
