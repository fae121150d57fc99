import type { AvailableRoute } from '../editions/routes.ts'
import type { PageModule } from './page-module.ts'

// Pages of several routes: each import() in the table would name all its files once more.
const search = () => import('../pages/search/search.page.tsx')
const newsletters = () => import('../pages/newsletter/newsletter.page.tsx')
const still = () => import('../pages/static/static.page.tsx')

/** The page of each route for the browser: a chunk of its own, loaded when first needed. */
export const pages: Record<AvailableRoute, () => Promise<PageModule>> = {
  front: () => import('../pages/front/front.page.tsx'),
  category: () => import('../pages/category/category.page.tsx'),
  article: () => import('../pages/article/article.page.tsx'),
  minutes: () => import('../pages/minutes/minutes.page.tsx'),
  videos: () => import('../pages/videos/videos.page.tsx'),
  topicIndex: () => import('../pages/topics/index.page.tsx'),
  topic: () => import('../pages/topics/topic.page.tsx'),
  author: () => import('../pages/author/author.page.tsx'),
  search,
  searchTerm: search,
  login: () => import('../pages/account/login.page.tsx'),
  registration: () => import('../pages/account/registration.page.tsx'),
  sent: () => import('../pages/account/sent.page.tsx'),
  account: () => import('../pages/account/account.page.tsx'),
  securityCheck: () => import('../pages/account/security-check.page.tsx'),
  consent: () => import('../pages/consent/consent.page.tsx'),
  profile: () => import('../pages/account/profile/profile.page.tsx'),
  focus: () => import('../pages/account/focus/focus.page.tsx'),
  invoice: () => import('../pages/account/invoice/invoice.page.tsx'),
  logout: () => import('../pages/account/logout.page.tsx'),
  emailChange: () => import('../pages/account/email-change.page.tsx'),
  paymentSuccess: () => import('../pages/payment/success.page.tsx'),
  sale: () => import('../pages/account/sale/sale.page.tsx'),
  paymentFailure: () => import('../pages/payment/failure.page.tsx'),
  newsletters,
  newsletterStep: newsletters,
  static: still,
  career: still,
  contacts: still,
  history: still,
  principles: still,
  organisation: still,
  company: still,
  christmas: still,
  discussion: () => import('../pages/discussion/discussion.page.tsx'),
  notFound: () => import('../pages/not-found/not-found.page.tsx'),
}
