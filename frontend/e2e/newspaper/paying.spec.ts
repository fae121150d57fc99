import { expect, test } from '@playwright/test'
import { editions, must, posts, settled } from '../paper.ts'
import { answer, register, subscribe } from '../reader.ts'

const [edition] = editions
const offer = (page: { locator: (css: string) => import('@playwright/test').Locator }) => page.locator('header a[href^="/account"]:not([aria-label])')

for (const javaScriptEnabled of [true, false]) {
  test(`who pays is offered nothing and sees no locks, from the first byte on, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({ browser, request }) => {
    const context = await browser.newContext({ javaScriptEnabled })
    await register(context, edition, 'paying')
    await answer(context, edition)
    const page = await context.newPage()
    await page.goto(edition.origin)
    await expect(offer(page).first()).toBeVisible()
    await expect(page.locator('main [data-lock]').first()).toBeVisible()
    await subscribe(context, edition)
    const free = must((await posts(request, edition, false))[0], 'an open post')
    for (const path of ['/', `/category/${edition.section}`, new URL(free.post_url, edition.origin).pathname]) {
      const html = await (await context.request.get(edition.origin + path)).text()
      expect(html, path).toContain('data-subscriber')
      await page.goto(edition.origin + path)
      await expect(offer(page), path).toHaveCount(0)
      for (const lock of await page.locator('[data-lock]').all()) await expect(lock, path).toBeHidden()
    }
    await context.close()
  })
}

for (const width of [390, 1280]) {
  test(`at ${width} px the icons of the header end with the column, and the offer stands before them`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(edition.origin)
    await settled(page)
    const column = must(await page.locator('main').boundingBox(), 'the column')
    const icon = must(await page.locator('header button svg').last().boundingBox(), 'the last icon')
    const button = must(await offer(page).first().boundingBox(), 'the offer')
    const edge = column.x + column.width - 20
    expect(Math.abs(icon.x + icon.width - edge)).toBeLessThanOrEqual(6)
    expect(button.x + button.width).toBeLessThanOrEqual(icon.x)
  })
}

test('author, time and the first lines of an article stand in the first window', async ({ page, request }) => {
  const free = must((await posts(request, edition, false))[0], 'an open post')
  await page.goto(edition.origin + new URL(free.post_url, edition.origin).pathname)
  await settled(page)
  const [time, picture, text] = [page.locator('article time').first(), page.locator('article figure img').first(), page.locator('[data-prose] > p').first()]
  const [when, seen, words] = [must(await time.boundingBox(), 'the time'), must(await picture.boundingBox(), 'the picture'), must(await text.boundingBox(), 'the text')]
  expect(when.y + when.height).toBeLessThanOrEqual(seen.y)
  expect(seen.height).toBeLessThanOrEqual(0.6 * 900)
  expect(words.y + 25).toBeLessThanOrEqual(900)
})

test('a picture opens large without scripts, and closes by a click', async ({ browser, request }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const free = must((await posts(request, edition, false))[0], 'an open post')
  await page.goto(edition.origin + new URL(free.post_url, edition.origin).pathname)
  const large = page.locator('#picture img')
  await expect(large).toBeHidden()
  await page.locator('article figure button').first().click()
  await expect(large).toBeVisible()
  const box = must(await large.boundingBox(), 'the picture')
  expect([box.width, box.height]).toEqual([1280, 900])
  await large.click()
  await expect(large).toBeHidden()
  await context.close()
})

test('pictures in the text open large without scripts, one at a time', async ({ browser, request }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const front = await (await request.get(edition.origin)).text()
  for (const [, path = ''] of front.matchAll(/href="(\/\d+\/[^"?#]+)"/g)) {
    if (!(await (await request.get(edition.origin + path)).text()).includes('id="picture-1"')) continue
    await page.goto(edition.origin + path)
    break
  }
  for (const id of ['picture-1', 'picture']) {
    const large = page.locator(`#${id} img`)
    await expect(large).toBeHidden()
    await page.locator(`figure > button[popovertarget=${id}], figure > div > button[popovertarget=${id}]`).first().click()
    await expect(large).toBeVisible()
    expect(await large.getAttribute('src')).toMatch(/^\/img\/[0-9a-f]{32}\?w=1600$/)
    const box = must(await large.boundingBox(), 'the picture')
    expect([box.width, box.height]).toEqual([1280, 900])
    await large.click()
    await expect(large).toBeHidden()
  }
  await context.close()
})

for (const width of [390, 1280]) {
  test(`wide tables and long code scroll within the text at ${width} px`, async ({ page, request }) => {
    await page.setViewportSize({ width, height: 900 })
    const free = must((await posts(request, edition, false))[0], 'an open post')
    await page.goto(edition.origin + new URL(free.post_url, edition.origin).pathname)
    await settled(page)
    await page.locator('[data-prose]').first().evaluate((prose) => {
      const row = `<tr>${'<td>stĺpec</td>'.repeat(20)}</tr>`
      prose.innerHTML = `<table>${row}</table><figure class="wp-block-table"><table>${row}</table></figure><p><code>${'x'.repeat(300)}</code></p><pre><code>${'x'.repeat(300)}</code></pre>`
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}

test('the discussion is as wide as its column', async ({ page, request }) => {
  const free = must((await posts(request, edition, false))[0], 'an open post')
  await page.goto(edition.origin + new URL(free.post_url, edition.origin).pathname)
  await settled(page)
  const frame = page.locator('iframe#discussion')
  await frame.scrollIntoViewIfNeeded()
  const [own, text] = [must(await frame.boundingBox(), 'the frame'), must(await page.locator('[data-prose]').first().boundingBox(), 'the text')]
  expect([own.x, own.width]).toEqual([text.x - 16, text.width + 32])
  await expect(page.frameLocator('iframe#discussion').locator('a[target=_top]').filter({ hasText: 'K článku' })).toBeHidden()
})
