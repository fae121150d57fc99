import { expect, test } from '@playwright/test'
import { editions, mailedCode, must } from './paper.ts'
import { places } from './places.ts'
import { addressOf, answer, askForMail, register } from './reader.ts'
import { wordsOf } from './words.ts'

test.use({ javaScriptEnabled: false })

for (const edition of editions) {
  test(`${edition.id}: reads well without scripts`, async ({ page, request }) => {
    const at = await places(request, edition)
    await page.goto(must(at.front, 'front'))
    await expect(page.locator('h1')).toHaveCount(1)
    expect(await page.locator('main a[href]').count()).toBeGreaterThan(40)
    await expect(page.locator('html')).toHaveAttribute('lang', edition.lang)

    await page.goto(must(at['open article'], 'open article'))
    expect(await page.locator('[data-prose] > p').count()).toBeGreaterThanOrEqual(4)
    for (const p of await page.locator('[data-prose] > p').all()) await expect(p).toBeVisible()
    const ld = await page.locator('script[type="application/ld+json"]').allTextContents()
    expect(ld.some((t) => t.includes('NewsArticle'))).toBe(true)

    await page.goto(must(at['locked article'], 'locked article'))
    const locked = (await page.locator('script[type="application/ld+json"]').allTextContents()).join('')
    expect(locked).toContain('"isAccessibleForFree":false')
    expect(locked).toContain('.paywalled')
    await expect(page.locator('.paywalled')).toBeVisible()
    for (const name of ['description', 'robots']) await expect(page.locator(`meta[name="${name}"]`)).toHaveCount(1)
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', must(at['locked article'], 'locked article'))
    await expect(page.locator('meta[property="og:title"]')).toHaveCount(1)

    await page.goto(must(at.category, 'category'))
    expect(await page.locator('main a[href]').count()).toBeGreaterThan(15)
  })

  test(`${edition.id}: every page can be read without scripts on a phone`, async ({ browser, request }) => {
    test.setTimeout(240_000)
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 900 } })
    await askForMail(context, edition, addressOf(edition, 'plain'))
    const page = await context.newPage()
    for (const [name, url] of Object.entries(await places(request, edition))) {
      await page.goto(url)
      await expect(page.locator('h1'), name).toHaveCount(1)
      expect((await page.locator('main').innerText()).trim().length, `words of ${name}`).toBeGreaterThan(40)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} is wider than the phone`).toBeLessThanOrEqual(390)
    }
    await context.close()
  })

  test(`${edition.id}: who has forgotten the address writes to support without scripts`, async ({ page, request }) => {
    const words = `Plain-${Date.now()}`
    await page.goto(`${edition.origin}/account/login?referrer=%2Fsearch`)
    const form = page.locator('form[action="/fns/forgotten-email"]')
    await page.locator('details:has(form[action="/fns/forgotten-email"]) summary').click()
    await form.locator('textarea').fill(`${words}\n<b>since 2023</b>`)
    await form.locator('input[type=email]').fill('plain@example') // good enough for the browser
    await form.locator('button[type=submit]').click()
    await page.waitForURL(/status=INVALID_EMAIL/)
    await expect(form.locator('textarea')).toHaveValue(`${words}\n<b>since 2023</b>`)
    await form.locator('input[type=email]').fill(`${words}@example.org`)
    await form.locator('button[type=submit]').click()
    await page.waitForURL(/\?referrer=%2Fsearch&status=EMAIL_SENT/)
    await expect
      .poll(async () => {
        const mails = (await (await request.get(`${edition.origin}/_dev/mail.json`)).json()) as { text: string; headers: Record<string, string[]> }[]
        return mails.filter((m) => m.text.includes(`${words}\n\n<b>since 2023</b>`)).map((m) => m.headers['Reply-To'])
      })
      .toEqual([[`<${words.toLowerCase()}@example.org>`]])
  })

  test(`${edition.id}: logs in without scripts`, async ({ page, request }) => {
    const address = `plain-${Date.now()}-${edition.id.replaceAll('_', '-')}@example.org`
    await page.goto(`${edition.origin}/account/registration`)
    await page.locator('form[action="/fns/user-login"] input[type=email]').fill(address)
    await page.locator('form[action="/fns/user-login"] button[type=submit]').first().click()
    await page.waitForURL(/\/account\/sent/)
    const code = await mailedCode(request, edition, address)
    await page.locator('form[action="/api/login-code-validation"] input[name=code]').fill(code)
    await page.locator('form[action="/api/login-code-validation"] button[type=submit]').first().click()
    await page.waitForURL((u) => u.pathname === '/')
    const me = await (await page.request.get(`${edition.origin}/user/me/`)).json()
    expect(me.email).toBe(address)
  })
  test(`${edition.id}: a payment leads on and the page of subscriptions knows of it without scripts`, async ({ page, context }) => {
    const order = page.locator('form[action="/fns/stripe-payment"]')
    const email = await register(context, edition, 'plain')
    await answer(context, edition)
    await page.goto(`${edition.origin}/account?referrer=%2Fsearch`)
    await expect(order).toContainText(email)
    await order.locator('button[type=submit]').click()
    await page.locator('input[name=number]').fill('4242 4242 4242 4242')
    await page.locator('input[name=expiry]').fill('12/34')
    await page.locator('input[name=cvc]').fill('123')
    await page.locator('button[value=pay]').click()
    await page.waitForURL(/\/payment\/success/)
    await page.waitForURL(/\/search\?status=PAYMENT_SUCCESS/, { timeout: 40_000 }) // over the page that waits, where the word of the provider takes a while
    await expect(page.locator('[data-kind=success]')).toBeVisible()
    await page.goto(`${edition.origin}/account`)
    await expect(page.locator('main h2').last()).toHaveText(wordsOf(edition)('account.active.title'))
    await expect(order).toHaveCount(0)
  })
}
