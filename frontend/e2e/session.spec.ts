import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { languages, settled, type Edition } from './paper.ts'
import { answer, call, enter, register } from './reader.ts'
import { wordsOf } from './words.ts'

/** Ends the session of a browser from elsewhere: its cookies stay as they were. */
async function endElsewhere(context: BrowserContext, edition: Edition): Promise<void> {
  const kept = await context.cookies()
  await call(context, edition, '/api/logout', {})
  await context.clearCookies()
  await context.addCookies(kept)
}

/** Waits for what a page does by itself once it knows that its session is over. */
async function whenKnown(page: Page): Promise<void> {
  await settled(page)
  await page.waitForTimeout(1500)
}

const order = async (context: BrowserContext, edition: Edition, referrer: string) =>
  ((await call(context, edition, '/fns/stripe-payment', { product_type: 'product_monthly', payment_method: 'card', referrer })) as { data: { redirect: string } }).data.redirect

const pay = async (context: BrowserContext, checkout: string) =>
  (await context.request.post(checkout, { form: { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123', action: 'pay' } })).url()

for (const edition of languages) {
  const t = wordsOf(edition)

  test(`${edition.id}: who has paid and is not logged in is told so, and reads on after the login`, async ({ browser }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext()
    const email = await register(context, edition, 'paid')
    await answer(context, edition)
    const success = await pay(context, await order(context, edition, '/search'))
    await endElsewhere(context, edition)
    const page = await context.newPage()
    await page.goto(success)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('payment.signedOut.title'), { timeout: 30_000 })
    await whenKnown(page)
    expect(new URL(page.url()).pathname).toBe('/payment/success')
    await expect(page.locator('main')).toContainText(t('payment.signedOut.text'))
    await expect(page.locator('main')).not.toContainText(email)
    const login = page.locator('main').getByRole('link', { name: t('payment.signedOut.login') })
    expect(new URL((await login.getAttribute('href')) ?? '', edition.origin).searchParams.get('referrer')).toBe('/search?status=PAYMENT_SUCCESS')

    const plain = await browser.newContext({ javaScriptEnabled: false })
    const other = await plain.newPage()
    await other.goto(success)
    await expect(other.getByRole('heading', { level: 1 })).toHaveText(t('payment.signedOut.title'))
    await register(plain, edition, 'other')
    await other.goto(success)
    await expect(other.locator('main')).toContainText(t('payment.signedOut.other'))
    await expect(other.locator('main')).not.toContainText(email)
    await other.getByRole('button', { name: t('payment.signedOut.switch') }).click()
    await other.waitForURL(/\/account\/login\?referrer=/)
    await context.close()
    await plain.close()
  })

  test(`${edition.id}: an order in a tab whose session is over keeps the choice and says so`, async ({ browser }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext()
    await register(context, edition, 'ended')
    await answer(context, edition)
    const page = await context.newPage()
    await page.goto(`${edition.origin}/account?product_type=product_yearly&referrer=%2Fsearch`)
    await settled(page)
    await endElsewhere(context, edition)
    await page.locator('form#order button[type=submit]').click()
    await page.waitForURL(/\/account\/login/)
    await whenKnown(page)
    const { pathname, searchParams } = new URL(page.url())
    const back = new URL(searchParams.get('referrer') ?? '', edition.origin)
    expect([pathname, back.pathname, back.searchParams.get('product_type'), back.searchParams.get('referrer')]).toEqual(['/account/login', '/account', 'product_yearly', '/search'])
    await expect(page.getByText(t('status.INVALID_TOKEN'))).toBeVisible()

    // The same of invoice data: nothing that was typed is lost, and it is there again after the login of the same reader.
    const email = await register(context, edition, 'typed')
    await answer(context, edition)
    await page.goto(`${edition.origin}/account/focus?type=invoice_data`)
    await settled(page)
    await page.locator('[name=line1]').fill('Uferweg 3')
    await endElsewhere(context, edition)
    await page.locator('main form button[type=submit]').click()
    await expect(page.locator('main [role=alert]').filter({ hasText: t('status.INVALID_TOKEN') })).toBeVisible()
    await whenKnown(page)
    await expect(page.locator('[name=line1]')).toHaveValue('Uferweg 3')
    await page.locator('main [role=alert] a').click()
    await page.waitForURL(/\/account\/login\?referrer=/)
    await context.clearCookies()
    await enter(context, edition, email)
    await page.goto(`${edition.origin}/account/focus?type=invoice_data`)
    await expect(page.locator('[name=line1]')).toHaveValue('Uferweg 3')
    await context.close()
  })

  test(`${edition.id}: a page of another account orders nothing, and says who is logged in`, async ({ browser }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext()
    const first = await register(context, edition, 'first')
    await answer(context, edition)
    const page = await context.newPage()
    const choice = `${edition.origin}/account?product_type=product_monthly&referrer=%2Fsearch`
    await page.goto(choice)
    await settled(page)
    await expect(page.locator('main')).toContainText(first)
    const second = await register(context, edition, 'second')
    await answer(context, edition)
    await page.locator('form#order button[type=submit]').click()
    const message = page.locator('main [role=alert]')
    await expect(message).toContainText(t('status.FOREIGN_USER'))
    await expect(message).toContainText(second)
    expect(page.url()).toBe(choice)
    await message.getByRole('link').click()
    await expect(page.locator('form#order')).toContainText(second)
    expect(new URL(page.url()).search).toBe(new URL(choice).search)
    await context.close()
  })
}
