import type { PublicEdition, RouteId } from '../editions/types.ts'

const paths: Record<RouteId, string | null> = {
  front: '/',
  category: '/category/:categorySlug',
  categoryWithId: '/category/:categoryId/:categorySlug',
  topicIndex: '/tema',
  topic: '/tema/:tagSlug',
  minutes: '/minuta',
  videos: '/videa',
  search: '/search',
  searchTerm: '/search/:searchSlug',
  authorWithId: '/author/:authorId/:authorSlug',
  author: '/author/:authorSlug',
  account: '/account',
  registration: '/account/registration',
  login: '/account/login',
  sent: '/account/sent',
  profile: '/account/profile',
  focus: '/account/focus',
  invoice: '/account/invoice/:invoiceId',
  logout: '/account/logout',
  emailChange: '/account/email',
  securityCheck: '/security-check',
  consent: '/account/consent',
  paymentSuccess: '/payment/success',
  sale: '/account/:saleStep',
  paymentFailure: '/payment/failure',
  static: '/static/:articleSlug',
  articleId: '/:articleId',
  article: '/:articleId/:articleSlug',
  career: '/kariera',
  contacts: '/kontakty',
  history: '/historia',
  principles: '/nase-principy',
  organisation: '/organizacia',
  company: '/firma',
  christmas: '/vianoce',
  discussion: '/discussion/:discussionSlug',
  newsletters: '/newsletters',
  newsletterStep: '/newsletters/:step',
  notFound: '/404',
}

/** An invented edition; what a test cares about goes into `over`. */
export function makeEdition(over: Partial<PublicEdition> = {}): PublicEdition {
  return {
    id: 'north',
    name: 'Severník',
    tagline: 'Denník zo severu',
    locale: 'sk',
    intlLocale: 'sk-SK',
    numberLocale: 'sk-SK',
    timeZone: 'Europe/Bratislava',
    theme: 'sk',
    origin: 'https://north.example',
    host: 'north.example',
    routeSet: 'standard',
    paths,
    categories: [
      { key: 'politics', slug: 'politika', name: 'Politika', children: [{ key: 'europe', slug: 'europa', name: 'Európa' }] },
      { key: 'economics', slug: 'ekonomika', name: 'Ekonomika' },
    ],
    menus: {
      main: [
        { name: 'Politika', url: '/category/politika' },
        { name: 'Kariéra', url: '/kariera' },
      ],
      footer: [{ title: 'O nás', items: [{ name: 'Kontakty', url: '/kontakty' }] }],
      social: [{ icon: 'rss', url: '/rss' }],
    },
    limits: { freeArticles: 3, period: 'month', freeVideos: 3 },
    careerCount: 4,
    commentSuffix: '',
    flags: {},
    supportEmail: 'pomoc@north.example',
    consent: { cookieVersion: '1', documents: [{ id: 'privacy', version: '1', static: 'sukromie' }], accordions: [{ document: 'privacy', sections: 2 }], rejectLogsOut: false },
    ...over,
  }
}

/** One edition a locale family, for `describe.each`. */
export const editions = {
  sk: makeEdition(),
  at: makeEdition({ id: 'alp', name: 'Alpenblatt', locale: 'de', intlLocale: 'de-AT', theme: 'at', timeZone: 'Europe/Vienna', paths: { ...paths, minutes: '/minutes', topic: '/topic/:tagSlug', topicIndex: '/topic' } }),
  ch: makeEdition({ id: 'see', name: 'Seebote', locale: 'de', intlLocale: 'de-CH', theme: 'ch', timeZone: 'Europe/Zurich', limits: { freeArticles: 3, period: 'week', freeVideos: 3 } }),
} as const
