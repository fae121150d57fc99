import { expect, test, type Page } from '@playwright/test'
import { editions, must, settled } from '../paper.ts'
import { pageData, paths } from './lists.ts'

interface Minutes {
  layout: 'reader' | 'list'
  items: { id: number; title: string; url: string; discussion?: string }[]
}

const stories = (page: Page) => page.locator('main article:visible')
const opened = (page: Page) => page.locator('main li[data-current] h3')

for (const edition of editions) {
  const words = paths[edition.id]

  for (const scripts of [true, false]) {
    test(`${edition.id}: a stream of all items under their days, ${scripts ? 'with' : 'without'} scripts`, async ({ browser, page }) => {
      const { items } = await pageData<Minutes>(page, edition, words.minutes)
      const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 390, height: 844 } })
      const stream = await context.newPage()
      await stream.goto(edition.origin + words.minutes)
      if (scripts) await settled(stream)
      await expect(stories(stream)).toHaveCount(items.length)
      await expect(stream.locator('main h2').first()).toContainText(/\d{4}/)
      if (items[0]?.discussion) await expect(stream.locator(`main article a[href="${items[0].discussion}"]`)).toBeVisible()

      await stream.goto(`${edition.origin}${must(items[3], 'a fourth').url}`)
      await expect(stories(stream)).toHaveCount(10)
      await expect(opened(stream)).toHaveText(must(items[3], 'a fourth').title)
      await expect(opened(stream)).toBeInViewport()

      await stream.goto(edition.origin + words.minutes)
      await stream.locator(`main a[href*="offset="]`).first().click()
      await expect(stories(stream)).toHaveCount(scripts ? 20 : 10)
      await context.close()
    })
  }
}

for (const edition of editions.slice(0, 2)) {
  const words = paths[edition.id]

  test(`${edition.id}: buttons and keys lead from item to item, and their addresses can be sent on`, async ({ page, browser }) => {
    const { items, layout } = await pageData<Minutes>(page, edition, words.minutes)
    expect(layout).toBe('reader')
    await page.goto(edition.origin + words.minutes)
    await settled(page)
    await expect(opened(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: words.previous })).toBeDisabled()

    await page.getByRole('button', { name: words.next }).click()
    await expect(opened(page)).toHaveText(must(items[1], 'a second').title)
    await page.keyboard.press('ArrowRight')
    await expect(opened(page)).toHaveText(must(items[2], 'a third').title)
    await expect(opened(page)).toBeInViewport()
    const third = page.url()
    expect(third).toContain(`article_type=${words.slug}`)
    await page.keyboard.press('ArrowLeft')
    await expect(opened(page)).toHaveText(must(items[1], 'a second').title)

    const elsewhere = await (await browser.newContext()).newPage()
    await elsewhere.goto(third)
    await settled(elsewhere)
    await expect(opened(elsewhere)).toHaveText(must(items[2], 'a third').title)
    await elsewhere.context().close()
  })

  test(`${edition.id}: leafing goes on from where the reader has scrolled to`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.goto(edition.origin + words.minutes)
    await settled(page)
    const titles = await page.locator('main article h3').allTextContents()
    // The key comes in the very moment in which the list shows where the reader is.
    await page.locator('main nav').evaluate((nav, sixth) => {
      new MutationObserver((_, self) => {
        if (nav.querySelector('a[aria-current]')?.textContent !== sixth) return
        self.disconnect()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
      }).observe(nav, { subtree: true, attributeFilter: ['aria-current'] })
    }, must(titles[5], 'a sixth'))
    await page.locator('main li[data-index="5"]').evaluate((item) => item.scrollIntoView())
    await expect(opened(page)).toHaveText(must(titles[6], 'a seventh'))
  })

  test(`${edition.id}: leafing fetches ahead, and goes on past the first ten`, async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/api/page') && asked.push(request.url()))
    await page.goto(edition.origin + words.minutes)
    await settled(page)
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight')
    expect(asked).toEqual([])
    await page.keyboard.press('ArrowRight')
    await expect(page.locator('main article')).toHaveCount(20)
    expect(asked).toHaveLength(1)
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight')
    await expect(opened(page)).toHaveText((await page.locator('main article h3').nth(11).textContent()) ?? '')
  })

  test(`${edition.id}: a finger swipes to the next`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const page = await context.newPage()
    await page.goto(edition.origin + words.minutes)
    await settled(page)
    const titles = await page.locator('main article h3').allTextContents()
    const client = await context.newCDPSession(page)
    const swipe = async (from: number, to: number) => {
      const y = 400
      await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: from, y }] })
      for (let step = 1; step <= 8; step++) await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from + ((to - from) * step) / 8, y }] })
      await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await swipe(340, 160)
    await expect(opened(page)).toHaveCount(0)
    await swipe(340, 60)
    await expect(opened(page)).toHaveText(must(titles[1], 'a second'))
    await swipe(40, 330)
    await expect(opened(page)).toHaveText(must(titles[0], 'a first'))
    await context.close()
  })
}

test('the Swiss edition has the stream without leafing', async ({ page }) => {
  const edition = editions[2]
  expect((await pageData<Minutes>(page, edition, '/minutes')).layout).toBe('list')
  await page.goto(`${edition.origin}/minutes`)
  await settled(page)
  await expect(stories(page)).toHaveCount(10)
  await expect(page.getByRole('button', { name: paths.standard_com.next })).toHaveCount(0)
  await page.getByRole('link', { name: 'Mehr laden' }).click()
  await expect(stories(page)).toHaveCount(20)
})
