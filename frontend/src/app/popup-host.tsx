import { lazy, Suspense, useEffect, useReducer, useState } from 'react'
import type { Page } from '../api/page.ts'
import { canPasskeys, consentChoice, cookie, forget } from '../session/browser.ts'
import type { Session } from '../session/session.ts'
import { useLocation, useNavigate } from './navigation.tsx'
import { asked, noPopups, openPopup, popups, type Facts, type PopupId } from './popups.ts'
import { useSite } from './site-context.ts'
import { reminderMark, withoutReminder } from './status.ts'
import { usePopup } from './use-popup.ts'

export interface PopupHostProps {
  page: Page | undefined
  session: Session
  /** How often the reader has asked to choose about cookies again. */
  withdrawn: number
}

/** What the server tells this browser by cookies: that the reminder was closed, that an account is new, that it has no passkey. */
const closedCookie = 'subscription_reminder'
const welcomeCookie = 'welcome'
const offerCookie = 'passkey_offer'

type Known = Pick<Facts, 'choice' | 'quiet' | 'arrived' | 'keyless' | 'now'>

// Fetched when an address names a video. Offline, or deployed anew since: the page stays as it is.
const OpenedVideo = lazy(() =>
  import('../blocks/opened-video.tsx').then(
    (module) => ({ default: module.OpenedVideo }),
    () => ({ default: () => null }),
  ),
)

/** Shows what lies over a page: the video that its address names, and a question or notice. */
export function PopupHost(props: PopupHostProps) {
  const video = props.page?.video
  return (
    <>
      {video && (
        <Suspense>
          <OpenedVideo card={video} />
        </Suspense>
      )}
      <Popup {...props} />
    </>
  )
}

/** Shows the questions and notices that are open, one at a time. */
function Popup({ page, session, withdrawn }: PopupHostProps) {
  const { edition } = useSite()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [state, dispatch] = useReducer(popups, noPopups)
  const [known, setKnown] = useState<Known>({ choice: undefined, quiet: true, arrived: false, keyless: false, now: 0 })
  useEffect(() => {
    const choice = consentChoice(edition.consent.cookieVersion)
    const keyless = cookie(offerCookie) !== null && canPasskeys()
    const arrived = cookie(welcomeCookie) !== null
    setKnown((before) => ({ choice, quiet: cookie(closedCookie) !== null, arrived: before.arrived || arrived, keyless, now: Date.now() }))
  }, [edition, session])
  useEffect(() => {
    if (withdrawn > 0) dispatch({ type: 'reopen', id: 'consent' })
  }, [withdrawn])

  const documents = edition.consent.documents.map((document) => document.static)
  const wanted = new URLSearchParams(search).has(reminderMark)
  const selling = edition.flags.subscriptions !== false
  const popup = openPopup(state, asked({ ...known, session, route: page?.route, slug: page?.params.articleSlug, documents, selling, wanted }))
  const { consent: Consent, terms: Terms, notice: Notice, welcome: Welcome, passkey: Offer } = usePopup(popup)
  // Greeted once, on the first page, whatever becomes of that page.
  useEffect(() => {
    if (popup === 'welcome') forget(welcomeCookie)
  }, [popup])
  const close = (id: PopupId) => () => {
    dispatch({ type: 'close', id })
    if (id === 'passkey') forget(offerCookie)
    if (wanted && (id === 'reminder' || id === 'expired')) navigate(withoutReminder(pathname + search + hash), { replace: true, preventScrollReset: true })
  }
  const reader = session.status === 'reader' ? session.reader : null
  if (popup === 'consent') return Consent && <Consent onDone={close('consent')} />
  if (popup === 'terms') return Terms && reader && <Terms reader={reader} onDone={close('terms')} />
  if (popup === 'welcome') return Welcome && reader && <Welcome reader={reader} onDone={close('welcome')} />
  if (popup === 'passkey') return Offer && <Offer onDone={close('passkey')} />
  return popup && Notice && reader && <Notice key={popup} reader={reader} onDone={close(popup)} />
}
