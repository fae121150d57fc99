import { expect, type Page } from '@playwright/test'
import type { Edition } from '../paper.ts'

/** What the routes of lists are called in each edition. */
export const paths = {
  standard: { minutes: '/minuta', topics: '/tema', videos: '/videa', slug: 'minuta', next: 'Ďalšia', previous: 'Predchádzajúca' },
  standard_at: { minutes: '/minutes', topics: '/topic', videos: '/videos', slug: 'minutes', next: 'Nächste', previous: 'Vorherige' },
  standard_com: { minutes: '/minutes', topics: '/topic', videos: '/videos', slug: 'minutes', next: 'Nächste', previous: 'Vorherige' },
} as const

/** The data of a page, as the browser gets it on navigation. */
export async function pageData<Data>(page: Page, edition: Edition, path: string): Promise<Data> {
  const answer = await page.request.get(`${edition.origin}/api/page?url=${encodeURIComponent(path)}`)
  expect(answer.ok(), path).toBe(true)
  return ((await answer.json()) as { data: Data }).data
}
