import { useEffect, useReducer } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { Footer } from '../blocks/footer.tsx'
import { Header } from '../blocks/header/header.tsx'
import { useT } from '../i18n/use-t.ts'
import { useSession } from '../session/use-session.ts'
import { Consent } from './consent.tsx'
import { consentChoice } from './consent-choice.ts'
import { Notification } from './notification.tsx'
import { noPopups, openPopup, popups } from './popups.ts'
import styles from './root.module.css'
import { useSite } from './site-context.ts'
import { useArrival } from './use-arrival.ts'
import { useCurrentPage } from './use-current-page.ts'

/** What stands around every page. */
export function Root() {
  const t = useT()
  const { edition } = useSite()
  const page = useCurrentPage()
  const { pathname } = useLocation()
  const loading = useNavigation().state === 'loading'
  const announcement = useArrival(page)
  const session = useSession()
  const [state, dispatch] = useReducer(popups, noPopups)

  // From here on everything answers: whoever measures or drives the page waits for this.
  useEffect(() => void performance.mark('hydrated'), [])

  useEffect(() => {
    if (consentChoice(edition.consent.cookieVersion) === null) dispatch({ type: 'ask', id: 'consent' })
  }, [edition])

  return (
    <>
      <a className={styles.skip} href="#content" data-native>
        {t('skip.content')}
      </a>
      <Header pathname={pathname} session={session} tier={page?.tier ?? 'anonymous'} />
      <div className={styles.progress} data-loading={loading || undefined} aria-hidden="true" />
      <main id="content" className={styles.main} tabIndex={-1} aria-busy={loading}>
        <Outlet />
      </main>
      <Footer onConsent={() => dispatch({ type: 'reopen', id: 'consent' })} />
      <p className={styles.announcer} role="status">
        {announcement}
      </p>
      <Notification url={page?.url ?? ''} />
      {openPopup(state) === 'consent' && <Consent onDone={() => dispatch({ type: 'close', id: 'consent' })} />}
    </>
  )
}
