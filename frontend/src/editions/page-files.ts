import type { AvailableRoute, PageArea } from './routes.ts'

/** The file of each page, under src/pages: for the build, which says what a page needs. The browser has no use for them. */
export const pageFiles: Record<AvailableRoute, `${string}.page.tsx`> = {
  front: 'front/front.page.tsx',
  category: 'category/category.page.tsx',
  article: 'article/article.page.tsx',
  minutes: 'minutes/minutes.page.tsx',
  videos: 'videos/videos.page.tsx',
  topicIndex: 'topics/index.page.tsx',
  topic: 'topics/topic.page.tsx',
  author: 'author/author.page.tsx',
  search: 'search/search.page.tsx',
  searchTerm: 'search/search.page.tsx',
  login: 'account/login.page.tsx',
  registration: 'account/registration.page.tsx',
  sent: 'account/sent.page.tsx',
  account: 'account/account.page.tsx',
  securityCheck: 'account/security-check.page.tsx',
  profile: 'account/profile/profile.page.tsx',
  focus: 'account/focus/focus.page.tsx',
  invoice: 'account/invoice/invoice.page.tsx',
  logout: 'account/logout.page.tsx',
  emailChange: 'account/email-change.page.tsx',
  paymentSuccess: 'payment/success.page.tsx',
  sale: 'account/sale/sale.page.tsx',
  paymentFailure: 'payment/failure.page.tsx',
  newsletters: 'newsletter/newsletter.page.tsx',
  newsletterStep: 'newsletter/newsletter.page.tsx',
  static: 'static/static.page.tsx',
  career: 'static/static.page.tsx',
  contacts: 'static/static.page.tsx',
  history: 'static/static.page.tsx',
  principles: 'static/static.page.tsx',
  organisation: 'static/static.page.tsx',
  company: 'static/static.page.tsx',
  christmas: 'static/static.page.tsx',
  consent: 'consent/consent.page.tsx',
  discussion: 'discussion/discussion.page.tsx',
  notFound: 'not-found/not-found.page.tsx',
}

/** The words of what is no page and is fetched with its words when it is wanted, by folder. */
export const lazyAreas: Record<string, readonly PageArea[]> = { popups: ['popups', 'account'] }
