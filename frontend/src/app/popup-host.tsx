import { useEffect, useReducer, useState } from 'react'
import type { Page } from '../api/page.ts'
import type { Session } from '../session/session.ts'
import { consentChoice, type ConsentChoice } from './consent-choice.ts'
import { asked, noPopups, openPopup, popups } from './popups.ts'
import { useSite } from './site-context.ts'
import { usePopup } from './use-popup.ts'

export interface PopupHostProps {
  page: Page | undefined
  session: Session
  /** How often the reader has asked to choose about cookies again. */
  withdrawn: number
}

/** Shows the questions that are open, one at a time. */
export function PopupHost({ page, session, withdrawn }: PopupHostProps) {
  const { edition } = useSite()
  const [state, dispatch] = useReducer(popups, noPopups)
  const [choice, setChoice] = useState<ConsentChoice | null>()
  useEffect(() => {
    setChoice(consentChoice(edition.consent.cookieVersion))
  }, [edition])
  useEffect(() => {
    if (withdrawn > 0) dispatch({ type: 'reopen', id: 'consent' })
  }, [withdrawn])
  const documents = edition.consent.documents.map((document) => document.static)
  const popup = openPopup(state, asked({ choice, session, route: page?.route, slug: page?.params.articleSlug, documents }))
  const { consent: Consent, terms: Terms } = usePopup(popup)
  return (
    <>
      {popup === 'consent' && Consent && <Consent onDone={() => dispatch({ type: 'close', id: 'consent' })} />}
      {popup === 'terms' && Terms && session.status === 'reader' && <Terms reader={session.reader} onDone={() => dispatch({ type: 'close', id: 'terms' })} />}
    </>
  )
}
