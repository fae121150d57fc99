import type { RouteId } from './types.ts'

/** Pages of logging in: who is signed in is sent home. */
export const guestRoutes: readonly RouteId[] = ['login', 'registration', 'securityCheck']

/** Areas of words beside `core`; a page's words are loaded with it. */
export type PageArea = 'front' | 'category' | 'article' | 'minutes' | 'topics' | 'videos' | 'not-found' | 'author' | 'search' | 'account' | 'profile' | 'invoice' | 'payment' | 'static' | 'consent' | 'discussion' | 'popups' | 'errors'

interface PageEntry {
  /** Without `.page.tsx`. */
  file: string
  areas: readonly PageArea[]
}

/**
 * Every page of this bundle: its file below src/pages and the words it needs. The build and the browser read three tables
 * that `npm run gen` writes from this one: editions/page-areas.gen.ts, app/pages.gen.ts and app/pages.server.gen.ts.
 * A route that is not here is answered by the not-found page.
 */
export const pageTable = {
  front: { file: 'front/front', areas: ['front'] },
  category: { file: 'category/category', areas: ['category'] },
  article: { file: 'article/article', areas: ['article'] },
  minutes: { file: 'minutes/minutes', areas: ['minutes'] },
  videos: { file: 'videos/videos', areas: ['videos'] },
  topicIndex: { file: 'topics/index', areas: ['topics'] },
  topic: { file: 'topics/topic', areas: ['topics'] },
  author: { file: 'author/author', areas: ['author'] },
  search: { file: 'search/search', areas: ['search'] },
  searchTerm: { file: 'search/search', areas: ['search'] },
  login: { file: 'account/login', areas: ['account'] },
  registration: { file: 'account/registration', areas: ['account'] },
  sent: { file: 'account/sent', areas: ['account'] },
  account: { file: 'account/account', areas: ['account'] },
  profile: { file: 'account/profile/profile', areas: ['profile'] },
  focus: { file: 'account/focus/focus', areas: ['profile'] },
  invoice: { file: 'account/invoice/invoice', areas: ['invoice'] },
  securityCheck: { file: 'account/security-check', areas: ['account'] },
  logout: { file: 'account/logout', areas: ['account'] },
  emailChange: { file: 'account/email-change', areas: ['profile'] },
  paymentSuccess: { file: 'payment/success', areas: ['payment'] },
  sale: { file: 'account/sale/sale', areas: ['account', 'payment'] },
  paymentFailure: { file: 'payment/failure', areas: ['payment'] },
  newsletters: { file: 'newsletter/newsletter', areas: ['account'] },
  newsletterStep: { file: 'newsletter/newsletter', areas: ['account'] },
  static: { file: 'static/static', areas: ['static'] },
  career: { file: 'static/static', areas: ['static'] },
  contacts: { file: 'static/static', areas: ['static'] },
  history: { file: 'static/static', areas: ['static'] },
  principles: { file: 'static/static', areas: ['static'] },
  organisation: { file: 'static/static', areas: ['static'] },
  company: { file: 'static/static', areas: ['static'] },
  christmas: { file: 'static/static', areas: ['static'] },
  consent: { file: 'consent/consent', areas: ['consent'] },
  discussion: { file: 'discussion/discussion', areas: ['discussion', 'errors'] },
  notFound: { file: 'not-found/not-found', areas: ['not-found'] },
} as const satisfies Partial<Record<RouteId, PageEntry>>

/** The words of what is no page and is fetched when it is needed, by folder. */
export const lazyAreas: Record<string, readonly PageArea[]> = { popups: ['popups'], account: ['popups'] }
