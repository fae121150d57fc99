import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { accessible } from '../axe.ts'
import { command } from '../command.ts'
import { press, tabTo, write } from '../keys.ts'
import { complaints, hydrated, languages, mailedCode, emailsTo, must, type Edition } from '../paper.ts'
import { pdfText } from '../pdf.ts'
import { addressOf, answer, call, letter, me, register } from '../reader.ts'
import { wordsOf } from '../words.ts'

const cards = { good: '4242 4242 4242 4242', declined: '4000 0000 0000 0002', asks: '4000 0025 0000 3155' } as const
const codePattern = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){4}/

/** Opens a page, and waits until it answers to keys. */
async function open(page: Page, edition: Edition, path: string): Promise<void> {
  await page.goto(edition.origin + path)
  await hydrated(page)
}

/** Types a card at the provider's till, and pays. */
async function pay(page: Page, number: string): Promise<void> {
  await page.waitForURL(/\/_dev\/stripe\//)
  await write(page, page.locator('input[name=number]'), number)
  await write(page, page.locator('input[name=expiry]'), '12/34')
  await write(page, page.locator('input[name=cvc]'), '123')
  await press(page, page.locator('button[name=action][value=pay]'))
}

interface Entry {
  number: string
  status: string
  amount_total: number
  url: string
  pdf: string
}

/** The reader's documents as the account tells them, the newest first. */
const documents = async (context: BrowserContext, edition: Edition) => ((await (await context.request.get(`${edition.origin}/user/me/extended/`)).json()) as { invoices: Entry[] }).invoices

/** What a sum of money is in minor units, however it is written. */
const minor = (text: string) => Number(must(/\d[\d\s.,']*/.exec(text.replaceAll(' ', ' ')), 'a sum')[0].replace(/\D/g, ''))

const submitOf = (page: Page, action: string): Locator => page.locator(`form:has(input[name=action][value=${action}]) button[type=submit]`)

for (const edition of languages) {
  const t = wordsOf(edition)

  test(`${edition.id}: a card is declined, then asked about, then pays; the plan is paused, cancelled, kept, changed; the contract is withdrawn from`, async ({ browser }) => {
    test.setTimeout(150_000)
    const context = await browser.newContext()
    const email = await register(context, edition, 'payer')
    await answer(context, edition)
    const page = await context.newPage()
    const noise = complaints(page)
    const profile = page.locator('main')

    await test.step('what is paid today and what from when on stand above the button', async () => {
      await open(page, edition, '/account?referrer=%2Faccount%2Fprofile')
      const first = page.locator('#product-product_monthly')
      await tabTo(page, first)
      await page.keyboard.press('ArrowDown')
      await expect(page.locator('#product-product_yearly')).toBeChecked()
      await expect(page.locator('dl dd').first()).toContainText(/89[,.]00/)
      await page.keyboard.press('ArrowUp')
      await expect(first).toBeChecked()
      const sums = page.locator('dl > div')
      await expect(sums.first()).toContainText(/1[,.]00/)
      await expect(sums.last()).toContainText(/\d\d\.\d\d\.\d{4}/)
      await expect(sums.last()).toContainText(/7[,.]96/)
      const button = page.getByRole('button', { name: t('account.pay') })
      expect(must(await button.boundingBox(), 'the button').y).toBeGreaterThan(must(await sums.last().boundingBox(), 'the sum').y)
      await press(page, button)
    })

    await test.step('a card that is declined charges nothing, one that asks is asked about', async () => {
      await pay(page, cards.declined)
      await expect(page.getByRole('alert').first()).toBeVisible()
      expect((await me(context, edition)).expiration).toBe(0)
      await pay(page, cards.asks)
      await page.waitForURL(/\/challenge/)
      await press(page, page.locator('button[name=outcome][value=complete]'))
      await page.waitForURL(/\/payment\/success/)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('payment.confirmed.title'), { timeout: 20_000 })
      await hydrated(page)
      await page.keyboard.press('Shift') // who does something there is not led on
      await accessible(page, 'after the payment')
      await press(page, page.getByRole('link', { name: t('payment.back') }))
      await page.waitForURL(/\/account\/profile/)
      await expect(page.getByText(t('status.PAYMENT_SUCCESS'))).toBeVisible()
    })

    await test.step('who has a subscription is told so instead of being sold another', async () => {
      await open(page, edition, '/account')
      await expect(profile).toContainText(t('account.active.title'))
      await expect(profile.locator('form[action="/fns/stripe-payment"]')).toHaveCount(0)
      await expect(profile.getByRole('heading', { level: 1, name: t('account.current') })).toBeVisible()
    })

    await test.step('cancelled and kept, paused and continued', async () => {
      await open(page, edition, '/account/profile')
      await accessible(page, 'the profile of a subscriber')
      for (const [action, back] of [
        ['cancel', 'resume'],
        ['pause', 'unpause'],
      ] as const) {
        await press(page, submitOf(page, action))
        await expect(submitOf(page, back)).toBeVisible()
        await hydrated(page)
        expect((await me(context, edition)).expiration, 'what is paid for stays').toBeGreaterThan(0)
        await press(page, submitOf(page, back))
        await expect(submitOf(page, action)).toBeVisible()
        await hydrated(page)
      }
    })

    let due = 0
    await test.step('the sum of a change of plan is shown, and charged', async () => {
      await press(page, page.getByRole('link', { name: t('profilePage.subscription.switch') }))
      await page.waitForURL(/type=plan/)
      await hydrated(page)
      const button = submitOf(page, 'switch')
      due = minor((await button.textContent()) ?? '')
      expect(due, '89.00 without what is left of the first price').toBeGreaterThan(8700)
      expect(due).toBeLessThan(8900)
      await accessible(page, 'the change of plan')
      await press(page, button)
      await page.waitForURL(/\/account\/profile/)
      await expect.poll(async () => (await documents(context, edition))[0]?.amount_total, { timeout: 20_000 }).toBe(due)
      await page.reload()
      await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(t('profilePage.invoices.status.paid'))
    })

    await test.step('its invoice is on paper what it is on the screen', async () => {
      const newest = must((await documents(context, edition))[0], 'an invoice')
      const file = await context.request.get(edition.origin + newest.pdf)
      expect(file.headers()['content-type']).toContain('application/pdf')
      const text = await pdfText(await file.body())
      expect(text).toContain(newest.number)
      await open(page, edition, newest.url)
      await expect(page.getByRole('heading', { level: 1 })).toContainText(newest.number)
      const total = must(/(\d+[,.]\d\d)/.exec((await page.locator('main strong, main tfoot, main').last().innerText()).split(t('invoice.total')).at(-1) ?? ''), 'the total')[1]
      expect(minor(String(total))).toBe(due)
      expect(text.replaceAll(' ', ' ')).toContain(String(total))
      expect(text).not.toContain('Unused time')
    })

    await test.step('withdrawn from by somebody who is not logged in, in two steps, confirmed from the mailbox, with a receipt and all money back', async () => {
      const away = await browser.newContext()
      await call(away, edition, '/api/set-gdpr-consent-cookie', { consent: 'necessary' })
      const guest = await away.newPage()
      await open(guest, edition, '/account/withdrawal')
      await accessible(guest, 'the withdrawal')
      await write(guest, guest.getByLabel(t('sale.withdrawal.name')), 'Ľubica Größová')
      await write(guest, guest.getByLabel(t('sale.withdrawal.email')), email)
      await press(guest, guest.getByRole('button', { name: t('sale.withdrawal.next') }))
      await guest.waitForURL(/statement=/)
      await hydrated(guest)
      await expect(guest.getByRole('main')).toContainText('Ľubica Größová')
      await accessible(guest, 'its second step')
      expect((await me(context, edition)).expiration, 'the first step changes nothing').toBeGreaterThan(0)
      await press(guest, guest.getByRole('button', { name: t('sale.withdrawal.confirm.submit') }))
      await expect(guest.getByRole('heading', { level: 1 })).toHaveText(t('sale.withdrawal.received.title'))
      const mailed = async () => (await emailsTo(context.request, edition, email)).map(({ text }) => /https?:\S+\/account\/withdrawal\?statement=\S+/.exec(text)?.[0]).find(Boolean)
      await expect.poll(mailed, { timeout: 30_000 }).toBeTruthy()
      await open(guest, edition, must(await mailed(), 'a link').replace(edition.origin, ''))
      await accessible(guest, 'its confirmation')
      expect((await me(context, edition)).expiration, 'looking changes nothing').toBeGreaterThan(0)
      await press(guest, guest.getByRole('button', { name: t('sale.withdrawal.mailbox.submit') }))
      await expect(guest.getByRole('heading', { level: 1 })).toHaveText(t('sale.withdrawal.confirmed.title'))
      await away.close()

      await expect.poll(async () => (await me(context, edition)).expiration, { timeout: 30_000 }).toBe(0)
      const back = async () => (await documents(context, edition)).filter(({ number }) => number.startsWith('CN-')).reduce((sum, { amount_total }) => sum + Math.abs(amount_total), 0)
      await expect.poll(back, { timeout: 30_000, message: 'credit notes for the first payment and for the change' }).toBe(100 + due)
      expect((await emailsTo(context.request, edition, email)).some(({ text }) => text.includes('Ľubica Größová'))).toBe(true)
    })
    // A card that was declined is an answer, which browsers note as an error.
    expect(noise.filter((line) => !/status of 402/.test(line))).toEqual([])
    await context.close()
  })

  test(`${edition.id}: a gift for a new and for an existing reader; codes that are good, spent and of another edition`, async ({ browser }) => {
    test.setTimeout(150_000)
    const make = (one: Edition) => must(codePattern.exec(command('coupon', 'create', '--edition', one.id, '--name', addressOf(edition, `for-${one.id}`))), 'a code')[0]
    const buyer = await browser.newContext()
    await call(buyer, edition, '/api/set-gdpr-consent-cookie', { consent: 'necessary' })
    const context = await browser.newContext()
    await call(context, edition, '/api/set-gdpr-consent-cookie', { consent: 'necessary' })
    const page = await context.newPage()
    const email = addressOf(edition, 'gifted')
    const field = page.getByLabel(t('sale.coupon.code'), { exact: true })

    /** Buys a gift that is mailed at once; returns the code of the card. */
    const give = async (to: string, look = false) => {
      const shop = await buyer.newPage()
      await open(shop, edition, '/account/gift')
      if (look) await accessible(shop, 'the form of a gift')
      await write(shop, shop.getByLabel(t('sale.gift.buyerEmail'), { exact: true }), `giver-${to}`)
      await write(shop, shop.getByLabel(t('sale.gift.buyerName')), 'Ľubica Größová')
      await write(shop, shop.getByLabel(t('sale.gift.email'), { exact: true }), to)
      await press(shop, shop.getByRole('button', { name: t('sale.gift.submit') }))
      await pay(shop, cards.good)
      await shop.waitForURL(/\/account\/gift\?card=/)
      const card = shop.getByRole('region', { name: t('sale.gift.card.label') })
      await expect(async () => {
        await shop.reload()
        await expect(card).toBeVisible({ timeout: 1000 })
      }).toPass({ timeout: 30_000 })
      if (look) await accessible(shop, 'the card')
      await shop.emulateMedia({ media: 'print' })
      for (const gone of [shop.getByRole('heading', { level: 1 }), shop.getByRole('button', { name: t('sale.gift.card.print') }), shop.getByRole('contentinfo')]) await expect(gone).toBeHidden()
      const code = must(codePattern.exec(await card.innerText()), 'the code of the card')[0]
      await shop.close()
      // The card is shown before its mail is sent, and a reader with two gifts already has the mail of the first.
      await expect(async () => expect((await letter(buyer.request, edition, to, '/account/coupon')).mail.text).toContain(code)).toPass({ timeout: 30_000 })
      return code
    }

    /** Redeems a code as a signed-in reader; returns until when that reader can read. */
    const redeem = async (code: string) => {
      await open(page, edition, '/account/coupon')
      await write(page, field, code)
      await page.keyboard.press('Enter')
      await page.waitForURL(/done=1/)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sale.coupon.done.title'))
      return (await me(context, edition)).expiration
    }

    let until = 0
    await test.step('who is new types the code of the gift, then the one of the login, then reads', async () => {
      const code = await give(email, true)
      await open(page, edition, '/account/coupon')
      await write(page, field, code.toLowerCase().replaceAll('-', ' '))
      await write(page, page.getByLabel(t('account.email')), email)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/account\/sent/)
      const digits = await mailedCode(context.request, edition, email)
      await hydrated(page)
      await page.locator('input[autocomplete="one-time-code"]').first().click()
      await page.keyboard.type(digits, { delay: 20 })
      await page.waitForURL(/\/account\/coupon/)
      await answer(context, edition)
      await page.reload()
      await hydrated(page)
      await accessible(page, 'a code that is ready')
      await press(page, page.getByRole('button', { name: t('sale.coupon.submit') }))
      await page.waitForURL(/done=1/)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sale.coupon.done.title'))
      until = (await me(context, edition)).expiration
      expect(until * 1000).toBeGreaterThan(Date.now() + 360 * 86_400_000)
    })

    await test.step('for who reads already, a gift begins where that ends', async () => {
      const longer = await redeem(await give(email))
      expect(longer - until).toBeGreaterThan(364 * 86_400)
      until = longer
    })

    await test.step('a good code opens as much again; spent, and of another edition, none', async () => {
      const code = make(edition)
      const longer = await redeem(code)
      expect(longer).toBeGreaterThan(until)
      const guest = await buyer.newPage()
      const foreign = make(must(languages.find(({ id }) => id !== edition.id), 'another edition'))
      await open(guest, edition, '/account/coupon')
      const typed = guest.getByLabel(t('sale.coupon.code'), { exact: true })
      for (const wrong of [code, foreign, 'K7QF-2MXD']) {
        await write(guest, typed, wrong)
        await write(guest, guest.getByLabel(t('account.email')), addressOf(edition, 'nobody'))
        await guest.keyboard.press('Enter')
        await expect(guest.locator('main [role=alert]').first()).toHaveText(t('status.INVALID_COUPON_CODE'))
        await expect(typed).toBeFocused()
        await expect(typed).toHaveValue(wrong)
        await guest.keyboard.press('Shift+Tab')
      }
      await accessible(guest, 'a code that is refused')
    })
    await buyer.close()
    await context.close()
  })
}

/** Forms of selling, with what browsers let through and the paper refuses at the last field. */
const refused = [
  ['gift', [['buyer_email', 'mara@example.org'], ['buyer_name', 'Ľubica <Größová> & "Söhne"'], ['message', 'Ahoj,\nEva'], ['recipient_email', 'eva@x']], 'INVALID_EMAIL'],
  ['campaign', [['user_email', 'eva@x']], 'INVALID_EMAIL'],
  ['coupon', [['user_email', 'eva@example.org'], ['coupon_code', 'K7QF 2MXD']], 'INVALID_COUPON_CODE'],
  ['withdrawal', [['name', 'Ľubica Größová'], ['email', 'eva@x']], 'INVALID_EMAIL'],
] as const

for (const edition of languages) {
  test(`${edition.id}: without scripts, a form that is refused has all that was typed, and says why`, async ({ browser }) => {
    const t = wordsOf(edition)
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    for (const [step, fields, code] of refused) {
      await page.goto(`${edition.origin}/account/${step}`)
      for (const [name, text] of fields) await page.locator(`main [name=${name}]`).fill(text)
      await page.locator('main form button[type=submit]').click()
      await expect(page).toHaveURL(new RegExp(`/account/${step}\\?.*status=${code}`))
      for (const [name, text] of fields) await expect(page.locator(`main [name=${name}]`), step).toHaveValue(text)
      const wrong = must(fields.at(-1), 'a field')[0]
      await expect(page.locator(`main [name=${wrong}]`), step).toHaveAttribute('aria-invalid', 'true')
      await expect(page.locator('main [role=alert]').first(), step).toHaveText(t(`status.${code}`))
      await page.goto(`${edition.origin}/account/${step}`)
      await expect(page.locator(`main [name=${wrong}]`), `${step}, anew`).toHaveValue('')
    }
    await context.close()
  })
}
