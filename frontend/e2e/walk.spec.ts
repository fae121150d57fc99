import { expect, test } from '@playwright/test'
import { editions, settled } from './paper.ts'
import { places } from './places.ts'
import { whole } from './whole.ts'

for (const edition of editions) {
  for (const width of [390, 1280]) {
    test(`${edition.id} at ${width} px: every kind of page is whole, still and discreet`, async ({ browser, request }) => {
      test.setTimeout(400_000)
      await whole(browser, width, await places(request, edition))
    })
  }

  test(`${edition.id}: the first screen of the front page is a newspaper's`, async ({ page }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const high = await page.locator('main h2 a, main h3 a').evaluateAll((all) => all.filter((a) => a.getBoundingClientRect().bottom < 900 && a.getBoundingClientRect().height > 0).length)
    expect(high, 'headlines within the first 900 pixels').toBeGreaterThanOrEqual(4)
    expect(await page.locator('main img').count()).toBeGreaterThan(20)
  })
}
