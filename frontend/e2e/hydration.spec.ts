import { expect, test } from '@playwright/test'
import { complaints, editions, must, settled } from './paper.ts'
import { places } from './places.ts'

for (const edition of editions) {
  test(`${edition.id}: every page hydrates without a word in the console`, async ({ page, request }) => {
    test.setTimeout(240_000)
    const bad = complaints(page)
    for (const [name, url] of Object.entries(await places(request, edition))) {
      await page.goto(url)
      await settled(page)
      // The browser itself reports a missing page as a failed resource; that is the answer it should get.
      const words = bad.filter((w) => !(name === 'not found' && w.includes('404')))
      expect(words, name).toEqual([])
      bad.length = 0
    }
  })

  test(`${edition.id}: a click navigates without a load and moves the focus`, async ({ page }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    await page.evaluate(() => ((window as unknown as { here: boolean }).here = true))
    const link = page.locator('main article a[href], main h2 a[href], main h3 a[href]').first()
    const href = must(await link.getAttribute('href'), 'the address')
    await link.click()
    await page.waitForURL((u) => u.pathname === new URL(href, edition.origin).pathname)
    expect(await page.evaluate(() => (window as unknown as { here?: boolean }).here)).toBe(true)
    await expect(page.locator('h1')).toBeFocused()
  })
}
