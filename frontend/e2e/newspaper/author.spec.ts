import { expect, test } from '@playwright/test'
import { editions, must, settled } from '../paper.ts'
import { pageData } from './lists.ts'

interface Found {
  mostReadAuthors: { name: string; url: string }[]
}

for (const edition of editions) {
  test(`${edition.id}: authors are found by a search for their names`, async ({ page }) => {
    const { mostReadAuthors } = await pageData<Found>(page, edition, '/search')
    const author = must(mostReadAuthors[0], 'an author')
    await page.goto(`${edition.origin}/search`)
    await settled(page)
    await page.locator('main input[name=q]').fill(author.name)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\/./)
    await page.locator('main').getByRole('link', { name: author.name }).first().click()
    await expect(page.locator('h1')).toHaveText(author.name)
    await expect(page.locator('h1')).toBeFocused()
    expect(await page.locator('main article').count()).toBeGreaterThan(0)
  })
}

test('an author whom nobody knows is not found', async ({ page }) => {
  const answer = await page.goto(`${editions[0].origin}/author/nobody-of-this-name`)
  expect(answer?.status()).toBe(404)
})
