import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import type { Tier } from '../../api/page.ts'
import { useSite } from '../../app/site-context.ts'
import type { Session } from '../../session/session.ts'
import styles from './header.module.css'
import type * as Panels from './panels.ts'
import { Masthead } from './masthead.tsx'
import { SectionBar } from './section-bar.tsx'
import { offerOf } from './offer.ts'

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
  const { edition } = useSite()
  // A panel belongs to the page on which it was opened: navigating closes it.
  const [opened, setOpened] = useState<{ panel: HeaderPanel; on: string }>({ panel: 'none', on: pathname })
  const panel = opened.on === pathname ? opened.panel : 'none'
  const [panels, setPanels] = useState<typeof Panels>()
  useEffect(() => {
    if (!panels) import('./panels.ts').then(setPanels, () => undefined) // offline: the next panel asks again
  }, [panels, panel])
  const opener = useRef<HTMLButtonElement | null>(null)

  const close = () => setOpened({ panel: 'none', on: pathname })
  const toggle = (which: HeaderPanel, button: HTMLButtonElement) => {
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
        <Masthead open={panel} offer={offerOf(session, tier, edition.flags)} onToggle={toggle} />
        {panel === 'menu' && panels && <panels.MenuPanel pathname={pathname} />}
        {panel === 'search' && panels && <panels.SearchPanel onSearch={close} />}
        {panel === 'profile' && panels && <panels.ProfilePanel session={session} />}
      </div>
      <SectionBar current={edition.menus.main.find(({ url }) => url === pathname)?.url} section={section?.split('.')[0]} />
    </header>
  )
}
