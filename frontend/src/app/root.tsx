import { useEffect, useReducer, useState } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { Footer } from '../blocks/footer.tsx'
import { Header } from '../blocks/header/header.tsx'
import { ToTop } from '../blocks/to-top.tsx'
import { useT } from '../i18n/use-t.ts'
import { useSession } from '../session/use-session.ts'
import { consentChoice, type ConsentChoice } from './consent-choice.ts'
import { Notification } from './notification.tsx'
import { asked, noPopups, openPopup, popups } from './popups.ts'
import styles from './root.module.css'
import { useSite } from './site-context.ts'
import { useArrival } from './use-arrival.ts'
import { useCurrentPage } from './use-current-page.ts'
import { usePopup } from './use-popup.ts'

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
  const [choice, setChoice] = useState<ConsentChoice | null>()

  // From here on everything answers: whoever measures or drives the page waits for this.
  useEffect(() => void performance.mark('hydrated'), [])

  useEffect(() => {
    setChoice(consentChoice(edition.consent.cookieVersion))
  }, [edition])
  const documents = edition.consent.documents.map((document) => document.static)
  const popup = openPopup(state, asked({ choice, session, route: page?.route, slug: page?.params.articleSlug, documents }))
  const { consent: Consent, terms: Terms } = usePopup(popup)

  // What stands in a frame has the page around it for all of this.
  if (page?.route === 'discussion') return <Outlet />
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
      <ToTop />
      <p className={styles.announcer} role="status">
        {announcement}
      </p>
      <Notification url={page?.url ?? ''} />
      {popup === 'consent' && Consent && <Consent onDone={() => dispatch({ type: 'close', id: 'consent' })} />}
      {popup === 'terms' && Terms && session.status === 'reader' && <Terms reader={session.reader} onDone={() => dispatch({ type: 'close', id: 'terms' })} />}
    </>
  )
}
