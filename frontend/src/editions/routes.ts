import type { RouteId } from './types.ts'

/** Who may see a route: guests are sent home when signed in, private pages when not. */
export type Access = 'public' | 'guest' | 'private'

export const accessOf: Record<RouteId, Access> = {
  front: 'public',
  category: 'public',
  categoryWithId: 'public',
  topicIndex: 'public',
  topic: 'public',
  minutes: 'public',
  search: 'public',
  searchTerm: 'public',
  authorWithId: 'public',
  author: 'public',
  account: 'public',
  registration: 'guest',
  login: 'guest',
  sent: 'public',
  profile: 'private',
  focus: 'private',
  invoice: 'private',
  logout: 'public',
  securityCheck: 'guest',
  paymentSuccess: 'public',
  paymentFailure: 'public',
  static: 'public',
  articleId: 'public',
  article: 'public',
  career: 'public',
  contacts: 'public',
  history: 'public',
  principles: 'public',
  organisation: 'public',
  company: 'public',
  christmas: 'public',
  notFound: 'public',
}

/** Areas of words beside `core`; a page's words are loaded with it. */
export type PageArea = 'front' | 'category' | 'article' | 'minutes' | 'topics' | 'author' | 'search' | 'account' | 'payment' | 'static'

interface PageEntry {
  /** Under src/pages. */
  file: `${string}.page.tsx`
  areas: readonly PageArea[]
}

/**
 * The routes that have a page in this bundle, and the words each needs. A route in this table without a page
 * does not compile (app/pages.ts, app/pages.server.ts), and one that is not here is answered by the not-found page.
 */
export const pageTable = {
  front: { file: 'front/front.page.tsx', areas: ['front'] },
  category: { file: 'category/category.page.tsx', areas: ['category'] },
  article: { file: 'article/article.page.tsx', areas: ['article'] },
  minutes: { file: 'minutes/minutes.page.tsx', areas: ['minutes'] },
  topicIndex: { file: 'topics/index.page.tsx', areas: ['topics'] },
  topic: { file: 'topics/topic.page.tsx', areas: ['topics'] },
  author: { file: 'author/author.page.tsx', areas: ['author'] },
  search: { file: 'search/search.page.tsx', areas: ['search'] },
  searchTerm: { file: 'search/search.page.tsx', areas: ['search'] },
  login: { file: 'account/login.page.tsx', areas: ['account'] },
  registration: { file: 'account/registration.page.tsx', areas: ['account'] },
  sent: { file: 'account/sent.page.tsx', areas: ['account'] },
  account: { file: 'account/account.page.tsx', areas: ['account'] },
  securityCheck: { file: 'account/security-check.page.tsx', areas: ['account'] },
  logout: { file: 'account/logout.page.tsx', areas: ['account'] },
  paymentSuccess: { file: 'payment/success.page.tsx', areas: ['payment'] },
  paymentFailure: { file: 'payment/failure.page.tsx', areas: ['payment'] },
  static: { file: 'static/static.page.tsx', areas: ['static'] },
  career: { file: 'static/static.page.tsx', areas: ['static'] },
  contacts: { file: 'static/static.page.tsx', areas: ['static'] },
  history: { file: 'static/static.page.tsx', areas: ['static'] },
  principles: { file: 'static/static.page.tsx', areas: ['static'] },
  organisation: { file: 'static/static.page.tsx', areas: ['static'] },
  company: { file: 'static/static.page.tsx', areas: ['static'] },
  christmas: { file: 'static/static.page.tsx', areas: ['static'] },
  notFound: { file: 'not-found/not-found.page.tsx', areas: [] },
} as const satisfies Partial<Record<RouteId, PageEntry>>

export type AvailableRoute = keyof typeof pageTable

export const isAvailable = (id: RouteId): id is AvailableRoute => id in pageTable
