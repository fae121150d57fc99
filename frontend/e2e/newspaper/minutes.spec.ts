import { expect, test } from '@playwright/test'
import { editions, must, settled } from '../paper.ts'
import { pageData, paths } from './lists.ts'

interface Minutes {
  layout: 'reader' | 'list'
  items: { id: number; title: string; url: string }[]
}

for (const edition of editions) {
  const words = paths[edition.id]

  test(`${edition.id}: without scripts all of them can be read`, async ({ browser, page }) => {
    const { items } = await pageData<Minutes>(page, edition, words.minutes)
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    const plain = await context.newPage()
    await plain.goto(edition.origin + words.minutes)
    await expect(plain.locator('main article')).toHaveCount(items.length)
    for (const story of await plain.locator('main article').all()) await expect(story).toBeVisible()
    await plain.locator(`main a[href*="offset="]`).first().click()
    await expect(plain.locator('main article').first()).toBeVisible()
    expect(new URL(plain.url()).searchParams.get('offset')).toBe('10')
    await context.close()
  })
}

for (const edition of editions.slice(0, 2)) {
  const words = paths[edition.id]

  test(`${edition.id}: the reader goes by buttons and keys, and its addresses can be sent on`, async ({ page, browser }) => {
    const { items, layout } = await pageData<Minutes>(page, edition, words.minutes)
    expect(layout).toBe('reader')
    await page.goto(edition.origin + words.minutes)
    await settled(page)
    const story = page.locator('main article:visible')
    await expect(story).toHaveCount(1)
    await expect(story.locator('h3')).toHaveText(must(items[0], 'a first').title)
    await expect(page.getByRole('button', { name: words.previous })).toBeDisabled()

    await page.getByRole('button', { name: words.next }).click()
    await expect(story.locator('h3')).toHaveText(must(items[1], 'a second').title)
    await page.keyboard.press('ArrowRight')
    await expect(story.locator('h3')).toHaveText(must(items[2], 'a third').title)
    const third = page.url()
    expect(third).toContain(`article_type=${words.slug}`)
    await page.keyboard.press('ArrowLeft')
    await expect(story.locator('h3')).toHaveText(must(items[1], 'a second').title)

    const elsewhere = await (await browser.newContext()).newPage()
    await elsewhere.goto(third)
    await settled(elsewhere)
    await expect(elsewhere.locator('main article:visible h3')).toHaveText(must(items[2], 'a third').title)
    await elsewhere.context().close()
  })

  test(`${edition.id}: the reader fetches ahead, and goes on past the first ten`, async ({ page }) => {
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
    await expect(page.locator('main li[data-current] h3')).toHaveText((await page.locator('main article h3').nth(11).textContent()) ?? '')
  })

  test(`${edition.id}: a finger swipes to the next`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const page = await context.newPage()
    await page.goto(edition.origin + words.minutes)
    await settled(page)
    const titles = await page.locator('main article h3').allTextContents()
    const client = await context.newCDPSession(page)
    const box = must(await page.locator('main article:visible').boundingBox(), 'the story')
    const swipe = async (from: number, to: number) => {
      const y = box.y + 40
      await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: from, y }] })
      for (let step = 1; step <= 8; step++) await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from + ((to - from) * step) / 8, y }] })
      await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await swipe(340, 160)
    await expect(page.locator('main li[data-current] h3')).toHaveText(must(titles[0], 'a first'))
    await swipe(340, 60)
    await expect(page.locator('main li[data-current] h3')).toHaveText(must(titles[1], 'a second'))
    await swipe(40, 330)
    await expect(page.locator('main li[data-current] h3')).toHaveText(must(titles[0], 'a first'))
    await context.close()
  })
}

test('the Swiss edition has a list that grows', async ({ page }) => {
  const edition = editions[2]
  expect((await pageData<Minutes>(page, edition, '/minutes')).layout).toBe('list')
  await page.goto(`${edition.origin}/minutes`)
  await settled(page)
  await expect(page.locator('main article:visible')).toHaveCount(10)
  await page.getByRole('link', { name: 'Mehr laden' }).click()
  await expect(page.locator('main article:visible')).toHaveCount(20)
})
