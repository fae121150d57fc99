import type { AvailableRoute } from '../editions/routes.ts'
import * as account from '../pages/account/account.page.tsx'
import * as emailChange from '../pages/account/email-change.page.tsx'
import * as focus from '../pages/account/focus/focus.page.tsx'
import * as invoice from '../pages/account/invoice/invoice.page.tsx'
import * as login from '../pages/account/login.page.tsx'
import * as logout from '../pages/account/logout.page.tsx'
import * as profile from '../pages/account/profile/profile.page.tsx'
import * as registration from '../pages/account/registration.page.tsx'
import * as consent from '../pages/consent/consent.page.tsx'
import * as securityCheck from '../pages/account/security-check.page.tsx'
import * as sent from '../pages/account/sent.page.tsx'
import * as article from '../pages/article/article.page.tsx'
import * as author from '../pages/author/author.page.tsx'
import * as category from '../pages/category/category.page.tsx'
import * as discussion from '../pages/discussion/discussion.page.tsx'
import * as front from '../pages/front/front.page.tsx'
import * as minutes from '../pages/minutes/minutes.page.tsx'
import * as newsletter from '../pages/newsletter/newsletter.page.tsx'
import * as notFound from '../pages/not-found/not-found.page.tsx'
import * as paymentFailure from '../pages/payment/failure.page.tsx'
import * as paymentSuccess from '../pages/payment/success.page.tsx'
import * as search from '../pages/search/search.page.tsx'
import * as staticPage from '../pages/static/static.page.tsx'
import * as sale from '../pages/account/sale/sale.page.tsx'
import * as topicIndex from '../pages/topics/index.page.tsx'
import * as topic from '../pages/topics/topic.page.tsx'
import * as videos from '../pages/videos/videos.page.tsx'
import type { PageModule } from './page-module.ts'

/** The page of each route for the server, which cannot load anything later. */
export const serverPages: Record<AvailableRoute, PageModule> = {
  front,
  category,
  article,
  minutes,
  videos,
  topicIndex,
  topic,
  author,
  search,
  searchTerm: search,
  login,
  profile,
  focus,
  invoice,
  registration,
  sent,
  account,
  securityCheck,
  consent,
  logout,
  emailChange,
  paymentSuccess,
  paymentFailure,
  sale,
  newsletters: newsletter,
  newsletterStep: newsletter,
  static: staticPage,
  career: staticPage,
  contacts: staticPage,
  history: staticPage,
  principles: staticPage,
  organisation: staticPage,
  company: staticPage,
  christmas: staticPage,
  discussion,
  notFound,
}
