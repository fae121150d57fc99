import { expect, test, type Page } from '@playwright/test'
import { complaints, editions, mailedCode, must, posts } from '../paper.ts'
import { me } from '../reader.ts'

/** Paragraphs of the article's own text that the page shows. */
const paragraphs = (page: Page) => page.locator('[data-prose] > p')
const wall = (page: Page) => page.locator('.paywalled')

for (const edition of editions) {
  test(`${edition.id}: from a locked article to a subscription`, async ({ page, request }) => {
    test.setTimeout(120_000)
    const bad = complaints(page)
    const locked = await posts(request, edition, true)
    expect(locked.length).toBeGreaterThan(edition.limit + 1)
    const address = `reader-${Date.now()}-${edition.id.replaceAll('_', '-')}@example.org`

    await test.step('a visitor sees the preview and the banner', async () => {
      await page.goto(edition.origin + new URL(must(locked[0], 'a locked post').post_url, edition.origin).pathname)
      await expect(wall(page)).toBeVisible()
      expect(await paragraphs(page).count()).toBeLessThanOrEqual(4)
    })

    await test.step('registers with an address and the mailed code', async () => {
      await page.goto(`${edition.origin}/account/registration`)
      await page.locator('form[action="/fns/user-login"] input[type=email]').fill(address)
      await page.locator('form[action="/fns/user-login"] button[type=submit]').first().click()
      await page.waitForURL(/\/account\/sent/)
      const code = await mailedCode(request, edition, address)
      await page.locator('input[autocomplete="one-time-code"]').first().click()
      await page.keyboard.type(code, { delay: 20 })
      await page.waitForURL((u) => u.pathname === '/')
    })

    await test.step('has agreed at the form, and is not asked again', async () => {
      expect((await me(page.context(), edition)).user_agreed_to_terms).not.toBe('undefined')
      const allow = page.locator('section[aria-labelledby=consent-title] button').first()
      await allow.click()
      await expect(page.locator('section[aria-labelledby=consent-title]')).toHaveCount(0)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    await test.step('reads locked articles on credit', async () => {
      for (const post of locked.slice(0, edition.limit)) {
        await page.goto(edition.origin + new URL(post.post_url, edition.origin).pathname)
        await expect(paragraphs(page).nth(4)).toBeAttached()
        await expect(wall(page)).toHaveCount(0)
      }
    })

    const last = edition.origin + new URL(must(locked[edition.limit], 'one more').post_url, edition.origin).pathname
    await test.step('meets the limit', async () => {
      await page.goto(last)
      await expect(wall(page)).toBeVisible()
      await expect(wall(page)).toContainText(String(edition.limit))
    })

    await test.step('buys the monthly plan', async () => {
      await page.goto(`${edition.origin}/account?referrer=${encodeURIComponent(new URL(last).pathname)}`)
      await page.locator('form[action="/fns/stripe-payment"] button[type=submit]').first().click()
      await page.waitForURL(/\/_dev\/stripe\//)
      // Who turns back finds the offer as it was.
      await page.locator('a[href*="cancelled=1"]').first().click()
      await page.waitForURL((u) => u.pathname === '/account' && u.searchParams.get('referrer') === new URL(last).pathname)
      await expect(page.locator('header [role=status]')).toBeVisible()
      await expect(page.getByRole('radio').first()).toBeChecked()
      await page.locator('form[action="/fns/stripe-payment"] button[type=submit]').first().click()
      await page.waitForURL(/\/_dev\/stripe\//)
      const card = page.locator('input[name="number"], input[name="card"], input[name="card_number"]').first()
      await card.fill('4242 4242 4242 4242')
      await page.locator('input[name^="exp"]').first().fill('12/34')
      await page.locator('input[name="cvc"]').fill('123')
      await page.locator('button[name=action][value=pay]').click()
      await page.waitForURL(/\/payment\/success/)
    })

    await test.step('has what was bought', async () => {
      await expect
        .poll(async () => (await (await page.request.get(`${edition.origin}/user/me/`)).json()).active_product, { timeout: 20_000 })
        .toBe('product_monthly')
      const me = await (await page.request.get(`${edition.origin}/user/me/`)).json()
      expect(me.expiration * 1000).toBeGreaterThan(Date.now() + 27 * 24 * 3600 * 1000)
      expect(me.email).toBe(address)
      await page.waitForURL((url) => url.pathname === new URL(last).pathname && url.search === '?status=PAYMENT_SUCCESS', { timeout: 40_000 })
      await expect(wall(page)).toHaveCount(0)
      await expect(paragraphs(page).nth(4)).toBeAttached()
    })
    expect(bad).toEqual([])
  })
}
