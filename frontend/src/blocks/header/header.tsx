import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import type { Tier } from '../../api/page.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Session } from '../../session/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './header.module.css'
import type * as Panels from './panels.ts'
import { SectionBar } from './section-bar.tsx'
import { offerOf } from './offer.ts'
import { Plain, Toggle } from './toggle.tsx'

export type HeaderPanel = 'none' | 'menu' | 'search' | 'profile'

interface HeaderProps {
  pathname: string
  session: Session
  tier: Tier
  /** Key of the category that the page belongs to. */
  section?: string | undefined
}

/** Masthead, sections and what opens from them. One panel at a time; leaving the header closes it. */
export function Header({ pathname, session, tier, section }: HeaderProps) {
  const t = useT()
  const { edition, href, has } = useSite()
  // A panel belongs to the page on which it was opened: navigating closes it.
  const [opened, setOpened] = useState<{ panel: HeaderPanel; on: string }>({ panel: 'none', on: pathname })
  const panel = opened.on === pathname ? opened.panel : 'none'
  const [panels, setPanels] = useState<typeof Panels>()
  useEffect(() => {
    if (!panels) import('./panels.ts').then(setPanels, () => undefined) // offline: the next panel asks again
  }, [panels, panel])
  const opener = useRef<HTMLButtonElement | null>(null)
  const offer = offerOf(session, tier, edition.flags)

  const close = () => setOpened({ panel: 'none', on: pathname })
  const toggle = (which: HeaderPanel) => (button: HTMLButtonElement) => {
    opener.current = button
    setOpened({ panel: panel === which ? 'none' : which, on: pathname })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || panel === 'none') return
    close()
    opener.current?.focus()
  }
  // Focus that goes nowhere is a click on something that takes none: that is no leaving.
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close()
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens for what leaves it; every control within is a control
    <header className={styles.header} onKeyDown={onKeyDown} onBlur={onBlur} onMouseLeave={() => (document.activeElement as HTMLInputElement | null)?.value || close()}>
      <div className={styles.top}>
        <div className={styles.row}>
          <div className={styles.start}>
            <Toggle icon="menu" label={t('header.menu')} open={panel === 'menu'} controls="header-menu" onToggle={toggle('menu')} showLabel />
            <Plain icon="menu" label={t('header.menu')} href="#sections" showLabel />
            <Today />
          </div>
          <a className={styles.logo} data-masthead data-long={edition.name.length > 12 || undefined} href={href('front')} aria-label={t('header.home', { name: edition.name })}>
            {edition.name}
          </a>
          <div className={styles.end}>
            {offer !== 'none' && (
              <ButtonLink className={styles.offer} href={href(offer === 'register' ? 'registration' : 'account')}>
                {offer === 'register' ? t('header.register') : t('header.subscription')}
              </ButtonLink>
            )}
            {has('search') && <Plain icon="search" label={t('header.search')} href={href('search')} />}
            {has('search') && <Toggle icon="search" label={t('header.search')} open={panel === 'search'} controls="header-search" onToggle={toggle('search')} />}
            <Toggle icon="profile" label={t('header.profile')} open={panel === 'profile'} controls="header-profile" onToggle={toggle('profile')} />
            <Plain icon="profile" label={t('profile.login')} href={href('login')} />
          </div>
        </div>
        {panel === 'menu' && panels && <panels.MenuPanel pathname={pathname} />}
        {panel === 'search' && panels && <panels.SearchPanel onSearch={close} />}
        {panel === 'profile' && panels && <panels.ProfilePanel session={session} />}
      </div>
      <SectionBar current={edition.menus.main.find(({ url }) => url === pathname)?.url} section={section?.split('.')[0]} />
    </header>
  )
}

/** The day in the edition's zone. Not in the server's HTML, which is kept longer than a day lasts. */
function Today() {
  const { format } = useSite()
  const [today, setToday] = useState('')
  useEffect(() => setToday(format.fullDate(Date.now() / 1000)), [format])
  return <p className={styles.today}>{today}</p>
}
