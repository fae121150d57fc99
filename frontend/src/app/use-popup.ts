import { useContext, useEffect, useState, type ComponentType } from 'react'
import type { TermsProps } from '../pages/consent/terms.tsx'
import type { NoticeProps } from '../pages/account/notice.tsx'
import type { PasskeyOfferProps } from '../pages/popups/passkey-offer.tsx'
import type { WelcomeProps } from '../pages/popups/welcome.tsx'
import type { PopupId } from './popups.ts'
import { WordsContext } from './words-context.ts'

interface Loaded {
  consent?: ComponentType<{ onDone: () => void }>
  terms?: ComponentType<TermsProps>
  notice?: ComponentType<NoticeProps>
  welcome?: ComponentType<WelcomeProps>
  passkey?: ComponentType<PasskeyOfferProps>
}

/** Fetches a popup with its words when it is first wanted; what has come so far. */
export function usePopup(wanted: PopupId | null): Loaded {
  const load = useContext(WordsContext)
  const [loaded, setLoaded] = useState<Loaded>({})
  useEffect(() => {
    const add = (one: Loaded) => setLoaded((all) => ({ ...all, ...one }))
    const gone = () => undefined // offline, or deployed anew since: the next page asks
    if (wanted === 'consent') Promise.all([import('../pages/consent/cookies.tsx'), load('consent')]).then(([{ Consent }]) => add({ consent: Consent }), gone)
    if (wanted === 'terms') Promise.all([import('../pages/consent/terms.tsx'), load('consent')]).then(([{ Terms }]) => add({ terms: Terms }), gone)
    if (wanted === 'reminder' || wanted === 'expired') Promise.all([import('../pages/account/notice.tsx'), load('account'), load('popups')]).then(([{ Notice }]) => add({ notice: Notice }), gone)
    if (wanted === 'welcome') Promise.all([import('../pages/popups/welcome.tsx'), load('popups')]).then(([{ Welcome }]) => add({ welcome: Welcome }), gone)
    if (wanted === 'passkey') Promise.all([import('../pages/popups/passkey-offer.tsx'), load('popups')]).then(([{ PasskeyOffer }]) => add({ passkey: PasskeyOffer }), gone)
  }, [wanted, load])
  return loaded
}
