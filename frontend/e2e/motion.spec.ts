import { expect, test } from '@playwright/test'
import { moving } from './moving.ts'
import { editions, settled } from './paper.ts'

for (const edition of editions) {
  for (const width of [390, 1280]) {
    test(`${edition.id} at ${width} px: a message does not move for who wants less motion`, async ({ browser }) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
      const page = await context.newPage()
      for (const at of ['/', '/account/login']) {
        await page.goto(`${edition.origin}${at}?status=ERROR`)
        await expect(page.locator('div > [role=alert] + button')).toBeVisible()
        expect(await moving(page), at).toEqual([])
      }
      await context.close()
    })
  }
}

test('what is looked for here is found where motion is welcome', async ({ page }) => {
  const [edition] = editions
  await page.goto(`${edition.origin}/`)
  await settled(page)
  expect((await moving(page)).join()).toContain('transition')
})

test('who wants less motion has nothing to stop, and rows that jump', async ({ browser }) => {
  const [edition] = editions
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${edition.origin}/`)
  await settled(page)
  await expect(page.locator('[data-shown]').locator('xpath=../..').locator('button').first()).toBeHidden()

  const row = page.locator('main [data-scroller]').first()
  await row.locator('xpath=..').locator('button').last().click()
  expect(await row.evaluate((one) => one.scrollLeft), 'it is there at once').toBeGreaterThanOrEqual(295)
  await context.close()
})
