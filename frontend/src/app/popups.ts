import type { Session } from '../session/session.ts'

/** The popups, in the order in which they may come; there is never more than one. */
export const popupOrder = ['consent', 'terms', 'reminder', 'expired', 'welcome'] as const

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
}

/** Pages on the way into or out of an account, where nothing may stand between. */
const passages: readonly string[] = ['sent', 'logout', 'securityCheck', 'consent']

/** The static page about privacy that is read before anything is agreed to. */
const privacyNotice = 'privacy-notice'

/** The questions that are open for this reader on this page. */
export function asked({ choice, session, route = '', slug = '', documents }: Facts): PopupId[] {
  const list: PopupId[] = []
  if (choice === null && route !== 'consent') list.push('consent')
  const unanswered = session.status === 'reader' && session.reader.userAgreedToTerms === 'undefined'
  const reading = route === 'static' && (slug === privacyNotice || documents.includes(slug))
  if (unanswered && !reading && !passages.includes(route)) list.push('terms')
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

/** The popup to show: the first by the fixed order of those that are asked for and not closed, or wanted. */
export const openPopup = ({ closed, opened }: Popups, open: readonly PopupId[]): PopupId | null =>
  popupOrder.find((id) => opened.includes(id) || (open.includes(id) && !closed.includes(id))) ?? null
