import type { AvailableRoute } from '../editions/routes.ts'
import type { PageModule } from './page-module.ts'

/** The page of each route for the browser: a chunk of its own, loaded when first needed. */
export const pages: Record<AvailableRoute, () => Promise<PageModule>> = {
  front: () => import('../pages/front/front.page.tsx'),
  category: () => import('../pages/category/category.page.tsx'),
  article: () => import('../pages/article/article.page.tsx'),
  minutes: () => import('../pages/minutes/minutes.page.tsx'),
  topicIndex: () => import('../pages/topics/index.page.tsx'),
  topic: () => import('../pages/topics/topic.page.tsx'),
  author: () => import('../pages/author/author.page.tsx'),
  search: () => import('../pages/search/search.page.tsx'),
  searchTerm: () => import('../pages/search/search.page.tsx'),
  login: () => import('../pages/account/login.page.tsx'),
  registration: () => import('../pages/account/registration.page.tsx'),
  sent: () => import('../pages/account/sent.page.tsx'),
  account: () => import('../pages/account/account.page.tsx'),
  securityCheck: () => import('../pages/account/security-check.page.tsx'),
  logout: () => import('../pages/account/logout.page.tsx'),
  paymentSuccess: () => import('../pages/payment/success.page.tsx'),
  paymentFailure: () => import('../pages/payment/failure.page.tsx'),
  static: () => import('../pages/static/static.page.tsx'),
  career: () => import('../pages/static/static.page.tsx'),
  contacts: () => import('../pages/static/static.page.tsx'),
  history: () => import('../pages/static/static.page.tsx'),
  principles: () => import('../pages/static/static.page.tsx'),
  organisation: () => import('../pages/static/static.page.tsx'),
  company: () => import('../pages/static/static.page.tsx'),
  christmas: () => import('../pages/static/static.page.tsx'),
  notFound: () => import('../pages/not-found/not-found.page.tsx'),
}
