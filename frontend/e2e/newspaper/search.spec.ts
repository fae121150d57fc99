import { expect, test } from '@playwright/test'
import { editions, settled } from '../paper.ts'

const terms = { standard: 'vláda', standard_at: 'Regierung', standard_com: 'Bundesrat' } as const
const nothing = {
  standard: 'Zadanému hľadaniu nezodpovedá žiadny článok.',
  standard_at: 'Zu Ihrer Suche wurden keine Artikel gefunden.',
  standard_com: 'Zu Ihrer Suche wurden keine Artikel gefunden.',
} as const

for (const edition of editions) {
  const term = terms[edition.id]

  test(`${edition.id}: a search by keyboard marks what it found`, async ({ page }) => {
    await page.goto(`${edition.origin}/search`)
    await settled(page)
    await page.locator('main input[name=q]').focus()
    await page.keyboard.type(`  ${term}? `)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/search/${term.toLowerCase()}`)
    // The address changes before the page does, and the page of before has articles too.
    await expect(page.locator('main article mark').first()).toBeVisible()
    await expect(page.locator('main input[name=q]')).toHaveValue(term.toLowerCase())
    await page.goto(`${edition.origin}/search/qqxxyyzz`)
    await expect(page.getByText(nothing[edition.id])).toBeVisible()
  })

  test(`${edition.id}: a search works without scripts`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${edition.origin}/search`)
    await page.locator('main input[name=q]').fill(term)
    await page.locator('main form button').click()
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/search/${term.toLowerCase()}`)
    await expect(page.locator('main article').first()).toBeVisible()
    await context.close()
  })
}
