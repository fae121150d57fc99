import { expect, test } from '@playwright/test'
import { violations } from './axe.ts'
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
    expect(await page.evaluate(() => document.querySelectorAll('*').length), 'elements of the front page').toBeLessThan(3000)
  })
}

test('who is shut out is found: by a picture without words, by faint words, and in a frame', async ({ page }) => {
  await page.goto(`${editions[0].origin}/account/login`)
  await settled(page)
  expect(await violations(page)).toEqual([])
  await page.evaluate(() => {
    const faint = Object.assign(document.createElement('p'), { id: 'faint', textContent: 'faint words' })
    faint.style.color = '#ddd'
    document.body.append(Object.assign(new Image(), { id: 'mute', src: '/favicon.svg' }), faint, Object.assign(document.createElement('iframe'), { id: 'inner', title: 'frame', src: '/account/registration' }))
  })
  const frame = page.frameLocator('#inner')
  await frame.locator('section[aria-labelledby=consent-title]').waitFor() // all of it is there
  await frame.locator('body').evaluate((body) => body.append(Object.assign(document.createElement('img'), { id: 'within', src: '/favicon.svg' })))
  const found = (await violations(page)).join('\n')
  for (const sign of [/^image-alt: .*mute/m, /^image-alt: .*within/m, /^color-contrast: .*faint/m]) expect(found).toMatch(sign)
  expect((await violations(page, ['color-contrast'])).join()).toMatch(/^color-contrast: .*faint/)
})
