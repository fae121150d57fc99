import { expect, test, type Page } from '@playwright/test'
import { editions, must, posts, settled, type Edition } from '../paper.ts'

const toTop = (page: Page) => page.locator('a[href="#top"]')
const answered = async (page: Page, edition: Edition) => page.context().addCookies([{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }])

/** Hides the question about cookies by answering it, whatever version it has. */
async function open(page: Page, edition: Edition, path: string) {
  await answered(page, edition)
  await page.goto(edition.origin + path)
  await settled(page)
  const consent = page.locator('section[aria-labelledby=consent-title] button').first()
  if (await consent.isVisible()) await consent.click()
  await expect(page.locator('section[aria-labelledby=consent-title]')).toHaveCount(0)
}

for (const edition of editions) {
  test(`${edition.id}: at every width the masthead is whole, and so is every heading`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 900 })
    await open(page, edition, '/')
    for (const width of [320, 360, 390, 640, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      const cut = await page.locator('header a[data-masthead]').evaluate((logo) => {
        const words = document.createRange()
        words.selectNodeContents(logo)
        const [inner, outer] = [words.getBoundingClientRect(), logo.getBoundingClientRect()]
        const row = (logo.parentElement as Element).getBoundingClientRect()
        return { wide: inner.width - outer.width, high: Math.max(inner.bottom - row.bottom, row.top - inner.top) }
      })
      expect(cut.wide, `pixels that are cut off at ${width}`).toBeLessThanOrEqual(0.5)
      expect(cut.high, `pixels above or below its row at ${width}`).toBeLessThanOrEqual(6)
      const heads = await page.locator('main :is(h1, h2, h3) :is(a, span)').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline' && one.clientWidth > 1).map((one) => one.textContent))
      expect(heads, `headings that are cut off at ${width}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
}

for (const [width, javaScriptEnabled] of [[390, true], [390, false], [1280, true]] as const) {
  test(`at ${width} px ${javaScriptEnabled ? 'with' : 'without'} scripts: from 200 pixels on there is a way back to the top${width < 1280 ? ', for who scrolls up' : ''}`, async ({ browser, request }) => {
    const [edition] = editions
    const article = must((await posts(request, edition, false))[0], 'an open post')
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const at = new URL(article.post_url, edition.origin).pathname
    if (javaScriptEnabled) await open(page, edition, at)
    else await page.goto(edition.origin + at)
    const link = toTop(page)
    await expect(link).toBeHidden()
    const scroll = (top: number) => page.mouse.wheel(0, top)
    await page.mouse.move(100, 400)
    await scroll(190)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(150)
    await expect(link).toBeHidden()
    await scroll(160)
    if (width < 1280) {
      // On a narrow window it would stand on the text of who reads on.
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
      await expect(link).toBeHidden()
      await scroll(-60)
    }
    await expect(link).toBeVisible()
    await expect(link).toHaveAccessibleName('Späť nahor')
    const box = must(await link.boundingBox(), 'its place')
    expect([box.width, box.height]).toEqual([44, 44])

    if (width >= 1280) {
      const main = must(await page.locator('main h1').boundingBox(), 'the heading')
      const right = await page.evaluate(() => (document.documentElement.clientWidth + 1130) / 2)
      expect(box.x, 'it stands beside the page').toBeGreaterThanOrEqual(right)
      expect(main.x).toBeLessThan(box.x)
    }
    // At the end of the page nothing lies under it that could not be scrolled away from.
    await page.keyboard.press('End')
    await expect.poll(() => page.evaluate(() => window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2)).toBe(true)
    const covered = await page.evaluate(() => {
      const top = document.querySelector('a[href="#top"]') as Element
      const own = top.getBoundingClientRect()
      return [...document.querySelectorAll('footer :is(a, button, p, h2)')].filter((one) => {
        const words = document.createRange()
        words.selectNodeContents(one)
        return [...words.getClientRects()].some((r) => r.right > own.left && r.left < own.right && r.bottom > own.top && r.top < own.bottom)
      }).map((one) => one.textContent)
    })
    expect(covered, 'covered at the end of the page').toEqual([])

    // Pictures that come now may lengthen the page, which counts as reading on.
    await expect(async () => {
      if (width < 1280) await scroll(-60)
      await link.focus()
      await expect(link).toBeFocused({ timeout: 500 })
    }).toPass()
    // A wheel's scroll that is still under way would go on from where the link has led.
    await expect(async () => {
      const before = await page.evaluate(() => window.scrollY)
      await page.waitForTimeout(200)
      expect(await page.evaluate(() => window.scrollY)).toBe(before)
    }).toPass()
    await expect(link).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(link).toBeHidden()
    await context.close()
  })
}

test('the row of short news is where it was left, when a reader comes back', async ({ page }) => {
  const [edition] = editions
  await open(page, edition, '/')
  const row = page.locator('main [data-scroller]').first()
  const place = () => row.evaluate((one) => one.scrollLeft)
  expect(await place()).toBe(0)
  await row.evaluate((one) => one.scrollTo({ left: 604 }))
  await expect.poll(place).toBeGreaterThan(500)
  const left = await place()
  await page.locator('main h2 a, main h3 a').first().click()
  await page.waitForURL((url) => url.pathname !== '/')
  await page.goBack()
  await expect(row).toBeVisible()
  await expect.poll(place).toBe(left)
})
