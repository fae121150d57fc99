import AxeBuilder from '@axe-core/playwright'
import { expect, type Browser, type Page } from '@playwright/test'
import { complaints, settled, type Edition } from '../paper.ts'

/** What the routes of lists are called in each edition. */
export const paths = {
  standard: { minutes: '/minuta', topics: '/tema', slug: 'minuta', next: 'Ďalšia', previous: 'Predchádzajúca' },
  standard_at: { minutes: '/minutes', topics: '/topic', slug: 'minutes', next: 'Nächste', previous: 'Vorherige' },
  standard_com: { minutes: '/minutes', topics: '/topic', slug: 'minutes', next: 'Nächste', previous: 'Vorherige' },
} as const

/** The data of a page, as the browser gets it on navigation. */
export async function pageData<Data>(page: Page, edition: Edition, path: string): Promise<Data> {
  const answer = await page.request.get(`${edition.origin}/api/page?url=${encodeURIComponent(path)}`)
  expect(answer.ok(), path).toBe(true)
  return ((await answer.json()) as { data: Data }).data
}

/** Opens each address on a phone and a desk, in light and dark: nothing is said in the console, spills over, or shuts anybody out. */
export async function whole(browser: Browser, edition: Edition, urls: readonly string[]): Promise<void> {
  for (const [width, colorScheme] of [[390, 'light'], [1280, 'light'], [390, 'dark'], [1280, 'dark']] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    for (const url of urls) {
      const page = await context.newPage()
      const heard = complaints(page)
      const answer = await page.goto(edition.origin + url)
      expect(answer?.status(), url).toBe(200)
      await settled(page)
      await expect(page.locator('h1')).toHaveCount(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${url} at ${width}`).toBeLessThanOrEqual(0)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map((v) => `${url} at ${width}: ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
      expect(heard, url).toEqual([])
      await page.close()
    }
    await context.close()
  }
}
