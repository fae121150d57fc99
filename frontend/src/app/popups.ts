import type { Session } from '../session/session.ts'
import { endsInThreeDays } from './reminder-day.ts'

/** The popups, in the order in which they may come; there is never more than one. */
export const popupOrder = ['consent', 'terms', 'reminder', 'expired', 'welcome', 'passkey'] as const

export type PopupId = (typeof popupOrder)[number]

/** What decides which questions are open. */
export interface Facts {
  /** What this browser has chosen about cookies; undefined while that is unknown. */
  choice: 'all' | 'necessary' | null | undefined
  session: Session
  route: string | undefined
  /** The slug of a static page. */
  slug: string | undefined
  /** The slugs of the documents that readers are asked about. */
  documents: readonly string[]
  /** Whether the edition sells subscriptions. */
  selling: boolean
  /** The address asks for the reminder. */
  wanted: boolean
  /** The reminder was closed in this browser, and its time has not come again. */
  quiet: boolean
  /** This browser has just logged in to a new account. */
  arrived: boolean
  /** This browser has passkeys, and has just logged in by a mail to an account without any. */
  keyless: boolean
  /** Milliseconds since 1970. */
  now: number
}

/** Pages on the way into or out of an account, where nothing may stand between. */
const passages: readonly string[] = ['sent', 'logout', 'securityCheck', 'consent']

/** Pages where a subscription is already being chosen or paid. */
const tills: readonly string[] = ['account', 'paymentSuccess', 'paymentFailure']

/** Pages of an account, where a greeting would lie over what is to be done. */
const accounts: readonly string[] = [...tills, 'login', 'registration', 'profile', 'focus', 'invoice', 'sale', 'emailChange', 'newsletters', 'newsletterStep']

/** The static page about privacy that is read before anything is agreed to. */
const privacyNotice = 'privacy-notice'

/** The notice about a subscription's end that is due: three days before that of a trial, and once access has ended. */
function notice({ session, selling, wanted, quiet, now }: Facts): PopupId[] {
  if (session.status !== 'reader' || !selling) return []
  const { hasTrial, userSubscription, expirationReminder, userType } = session.reader
  if (userType === 'wordpress') return [] // such accounts buy nothing here
  // The cookie is about the reminder alone: that access has ended is news, however long the cookie lives.
  if (hasTrial && userSubscription !== 0) return wanted || (!quiet && endsInThreeDays(userSubscription, now)) ? ['reminder'] : []
  return userSubscription === 0 && (wanted || expirationReminder) ? ['expired'] : []
}

/** The questions and notices that are open for this reader on this page. */
export function asked(facts: Facts): PopupId[] {
  const { choice, session, route = '', slug = '', documents, arrived, keyless } = facts
  const list: PopupId[] = []
  if (choice === null && route !== 'consent') list.push('consent')
  const unanswered = session.status === 'reader' && session.reader.userAgreedToTerms === 'undefined'
  const reading = route === 'static' && (slug === privacyNotice || documents.includes(slug))
  const passage = passages.includes(route)
  const till = tills.includes(route)
  if (unanswered && !reading && !passage && !till) list.push('terms')
  const ending = notice(facts)
  if (!passage && !till) list.push(...ending)
  if (arrived && session.status === 'reader' && !passage && !accounts.includes(route)) list.push('welcome')
  // The least of them: never on a visit on which there is anything else to ask or to say, on whichever page.
  const quiet = choice !== null && choice !== undefined && !unanswered && ending.length === 0 && !arrived
  if (keyless && session.status === 'reader' && quiet && !passage && !till) list.push('passkey')
  return list
}

/** What a reader has done with popups on this visit. */
export interface Popups {
  /** They do not come back by themselves. */
  closed: readonly PopupId[]
  /** Wanted by the reader, asked or not. */
  opened: readonly PopupId[]
}

export type PopupAction = { type: 'close' | 'reopen'; id: PopupId }

export const noPopups: Popups = { closed: [], opened: [] }

export function popups({ closed, opened }: Popups, { type, id }: PopupAction): Popups {
  const without = (list: readonly PopupId[]) => list.filter((one) => one !== id)
  return type === 'close' ? { closed: [...without(closed), id], opened: without(opened) } : { closed: without(closed), opened: [...without(opened), id] }
}

/** The popup to show: the first by the fixed order of those that are asked for and not closed, or wanted. A passkey is offered where no other was closed before. */
export const openPopup = ({ closed, opened }: Popups, open: readonly PopupId[]): PopupId | null =>
  popupOrder.find((id) => opened.includes(id) || (open.includes(id) && !(id === 'passkey' ? closed.length > 0 : closed.includes(id)))) ?? null
