import type { RouteId } from './types.ts'

/** Pages of logging in: who is signed in is sent home. */
export const guestRoutes: readonly RouteId[] = ['login', 'registration', 'securityCheck']

/** Areas of words beside `core`; a page's words are loaded with it. */
export type PageArea = 'front' | 'category' | 'article' | 'minutes' | 'topics' | 'videos' | 'not-found' | 'author' | 'search' | 'account' | 'profile' | 'invoice' | 'payment' | 'static' | 'consent' | 'discussion' | 'popups' | 'errors'

interface PageEntry {
  areas: readonly PageArea[]
}

/**
 * The routes that have a page in this bundle, and the words each needs. A route in this table without a page
 * does not compile (app/pages.ts, app/pages.server.ts), and one that is not here is answered by the not-found page.
 */
export const pageTable = {
  front: { areas: ['front'] },
  category: { areas: ['category'] },
  article: { areas: ['article'] },
  minutes: { areas: ['minutes'] },
  videos: { areas: ['videos'] },
  topicIndex: { areas: ['topics'] },
  topic: { areas: ['topics'] },
  author: { areas: ['author'] },
  search: { areas: ['search'] },
  searchTerm: { areas: ['search'] },
  login: { areas: ['account'] },
  registration: { areas: ['account'] },
  sent: { areas: ['account'] },
  account: { areas: ['account'] },
  profile: { areas: ['profile'] },
  focus: { areas: ['profile'] },
  invoice: { areas: ['invoice'] },
  securityCheck: { areas: ['account'] },
  logout: { areas: ['account'] },
  emailChange: { areas: ['profile'] },
  paymentSuccess: { areas: ['payment'] },
  sale: { areas: ['account', 'payment'] },
  paymentFailure: { areas: ['payment'] },
  newsletters: { areas: ['account'] },
  newsletterStep: { areas: ['account'] },
  static: { areas: ['static'] },
  career: { areas: ['static'] },
  contacts: { areas: ['static'] },
  history: { areas: ['static'] },
  principles: { areas: ['static'] },
  organisation: { areas: ['static'] },
  company: { areas: ['static'] },
  christmas: { areas: ['static'] },
  consent: { areas: ['consent'] },
  discussion: { areas: ['discussion', 'errors'] },
  notFound: { areas: ['not-found'] },
} as const satisfies Partial<Record<RouteId, PageEntry>>

export type AvailableRoute = keyof typeof pageTable

export const isAvailable = (id: RouteId): id is AvailableRoute => id in pageTable
