import { expect, test } from '@playwright/test'
import { editions, must, settled } from './paper.ts'

for (const edition of editions) {
  test(`${edition.id}: a click navigates without a load and moves the focus`, async ({ page }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    await page.evaluate(() => ((window as unknown as { here: boolean }).here = true))
    const link = page.locator('main article a[href], main h2 a[href], main h3 a[href]').first()
    const href = must(await link.getAttribute('href'), 'the address')
    await page.evaluate(() => window.scrollTo(0, 600))
    await link.evaluate((one) => (one as HTMLElement).click())
    await page.waitForURL((u) => u.pathname === new URL(href, edition.origin).pathname)
    expect(await page.evaluate(() => (window as unknown as { here?: boolean }).here)).toBe(true)
    await expect(page.locator('h1')).toBeFocused()
    expect(await page.evaluate(() => window.scrollY), 'a new page begins at its top').toBe(0)
  })
}
