import { useEffect, useState } from 'react'
import { cachedOnServer } from '../../app/server-cache.tsx'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import type { HeaderPanel } from './header.tsx'
import styles from './header.module.css'
import type { offerOf } from './offer.ts'
import { Plain, Toggle } from './toggle.tsx'

interface MastheadProps {
  open: HeaderPanel
  offer: ReturnType<typeof offerOf>
  onToggle: (which: HeaderPanel, button: HTMLButtonElement) => void
}

/** The paper's name between what opens the panels. */
export const Masthead = cachedOnServer('masthead', function Masthead({ open, offer, onToggle }: MastheadProps) {
  const t = useT()
  const { edition, href, has } = useSite()
  const toggle = (which: HeaderPanel) => (button: HTMLButtonElement) => onToggle(which, button)
  return (
    <div className={styles.row}>
      <div className={styles.start}>
        <Toggle icon="menu" label={t('header.menu')} open={open === 'menu'} controls="header-menu" onToggle={toggle('menu')} showLabel />
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
        {has('search') && <Toggle icon="search" label={t('header.search')} open={open === 'search'} controls="header-search" onToggle={toggle('search')} />}
        <Toggle icon="profile" label={t('header.profile')} open={open === 'profile'} controls="header-profile" onToggle={toggle('profile')} />
        <Plain icon="profile" label={t('profile.login')} href={href('login')} />
      </div>
    </div>
  )
})

/** The day in the edition's zone. Not in the server's HTML, which is kept longer than a day lasts. */
function Today() {
  const { format } = useSite()
  const [today, setToday] = useState('')
  useEffect(() => setToday(format.fullDate(Date.now() / 1000)), [format])
  return <p className={styles.today}>{today}</p>
}
