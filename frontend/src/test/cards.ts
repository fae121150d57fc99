import type { Card } from '../api/content.ts'

/** An article of a list. */
export const makeCard = (over: Partial<Card> = {}): Card => ({
  id: 17,
  url: '/17/most-cez-rieku',
  type: 'article',
  title: 'Most cez rieku otvoria na jar',
  excerpt: 'Práce sa predĺžili o dva mesiace.',
  locked: false,
  date: '2026-03-02T13:05:00Z',
  section: { key: 'politics', name: 'Politika', url: '/category/politika' },
  authors: [{ name: 'Hana Vrbová' }],
  picture: { id: 'most', width: 1600, height: 1000, alt: 'Most' },
  ...over,
})
