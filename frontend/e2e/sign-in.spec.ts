import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { complaints, editions, mailedCode, must, settled, type Edition } from './paper.ts'

const me = async (page: Page, edition: Edition) => (await (await page.request.get(`${edition.origin}/user/me/`)).json()) as { email?: string }
const cookies = (edition: Edition) => [{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }]

/** Another browser of the same or another person. */
async function another(browser: Browser, edition: Edition): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await context.addCookies(cookies(edition))
  return context.newPage()
}

/** Goes there by Tab alone, and presses. */
async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < 200; stop++) {
    if (await target.evaluate((one) => one === document.activeElement)) return page.keyboard.press(key)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${String(target)}`)
}

/** Types an address into a form and sends it by Enter. */
async function typed(page: Page, form: string, text: string): Promise<void> {
  await page.locator(`form[action="${form}"] input[type=email]`).first().focus()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** The newest letter to an address whose text has a link with a part. */
async function link(page: Page, edition: Edition, address: string, part: string): Promise<string> {
  let found: string | undefined
  await expect
    .poll(async () => {
      const mails = (await (await page.request.get(`${edition.origin}/_dev/mail.json`)).json()) as { to: string[]; text: string }[]
      found = mails.filter((m) => m.to.includes(address)).flatMap((m) => /https?:\/\/\S+/g[Symbol.match](m.text) ?? []).find((one) => one.includes(part))
      return found !== undefined
    })
    .toBe(true)
  return must(found, 'the link')
}

async function clean(page: Page): Promise<void> {
  expect((await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html ?? ''}`)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

for (const edition of editions) {
  test(`${edition.id}: all ways in, by keyboard`, async ({ page, browser }) => {
    test.setTimeout(180_000)
    const bad = complaints(page)
    const unique = `${Date.now()}-${edition.id.replaceAll('_', '-')}`
    const address = `ways-${unique}@example.org`
    const profile = `${edition.origin}/account/profile`
    await page.context().addCookies(cookies(edition))
    const phone = await another(browser, edition)

    await test.step('a link is opened in a second browser, and the code still lets the first one in', async () => {
      await page.goto(`${edition.origin}/account/registration`)
      await settled(page)
      await typed(page, '/fns/user-login', address)
      await page.waitForURL(/\/account\/sent/)
      await settled(page)
      await clean(page)
      await phone.goto(await link(page, edition, address, '/security-check'))
      const confirm = phone.locator('main button')
      await expect(confirm).toBeVisible()
      expect((await me(phone, edition)).email).toBeUndefined()
      await press(phone, confirm)
      await phone.waitForURL((u) => u.pathname === '/')
      expect((await me(phone, edition)).email).toBe(address)

      const code = await mailedCode(page.request, edition, address)
      await page.locator('input[autocomplete="one-time-code"]').first().focus()
      await page.keyboard.type(code, { delay: 20 })
      await page.waitForURL((u) => u.pathname === '/')
      const agreed = await page.request.post(`${edition.origin}/api/set-consent-metadata`, { data: { consent: 'true' } })
      expect(agreed.ok()).toBe(true)
    })

    await test.step('a passkey is offered after a login by a mail, and the no is kept', async () => {
      const offer = page.locator('section[aria-labelledby=passkey-offer-title]')
      await page.goto(`${edition.origin}/search`)
      await settled(page)
      await expect(offer).toBeVisible()
      await clean(page)
      const kept = page.waitForResponse((r) => r.url().endsWith('/fns/passkeys/decline') && r.ok())
      await press(page, offer.locator('button').first())
      await expect(offer).toHaveCount(0)
      await kept
      expect((await page.context().cookies()).filter((one) => one.name === 'passkey_offer')).toEqual([])
    })

    const tablet = await another(browser, edition)
    await test.step('a login is allowed on another device', async () => {
      await tablet.goto(`${edition.origin}/account/login?referrer=%2Fsearch`)
      await settled(tablet)
      await clean(tablet)
      await typed(tablet, '/fns/user-login', address)
      await tablet.waitForURL(/\/account\/sent/)
      await page.goto(edition.origin)
      await settled(page)
      await page.keyboard.press('Escape') // a welcome, if there is one
      await press(page, page.locator('header button[aria-expanded]').last())
      await press(page, page.locator('#header-profile p a'))
      await page.waitForURL(profile)
      await settled(page)
      const question = page.locator('form[action="/fns/login-approval"]')
      await expect(question).toHaveCount(1)
      await clean(page)
      await tablet.waitForTimeout(4000) // it asks by itself, and nothing answers by itself
      expect((await me(tablet, edition)).email).toBeUndefined()
      await press(page, question.locator('button').first())
      await page.waitForURL(/status=LOGIN_APPROVED/)
      await expect(question).toHaveCount(0)
      await tablet.waitForURL((u) => u.pathname === '/search')
      expect((await me(tablet, edition)).email).toBe(address)
    })

    await test.step('a login is refused on another device', async () => {
      const stranger = await another(browser, edition)
      await stranger.goto(`${edition.origin}/account/login`)
      await settled(stranger)
      await typed(stranger, '/fns/user-login', address)
      await stranger.waitForURL(/\/account\/sent/)
      await page.goto(profile)
      await press(page, page.locator('form[action="/fns/login-approval"] button').nth(1))
      await page.waitForURL(/status=LOGIN_REFUSED/)
      await expect(stranger.locator('[data-state=denied]')).not.toBeEmpty()
      expect((await me(stranger, edition)).email).toBeUndefined()
      await stranger.context().close()
    })

    await test.step('the other sessions are ended', async () => {
      await page.goto(profile)
      await settled(page)
      const rows = page.locator('form[action="/user/sessions/end"] input[name=id]')
      await expect(rows).toHaveCount(3)
      await press(page, page.locator('form[action="/user/sessions/end"]:has(input[name=others]) button'))
      await expect(rows).toHaveCount(1)
      expect((await me(tablet, edition)).email).toBeUndefined()
      expect((await me(phone, edition)).email).toBeUndefined()
    })

    await test.step('a passkey is made, and lets its reader in', async () => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('WebAuthn.enable')
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      })
      const kept = page.locator('form[action="/fns/passkeys/remove"]')
      await page.goto(profile)
      await settled(page)
      await press(page, page.locator('section:has(form[action="/user/sessions/end"])').locator('xpath=preceding-sibling::section[1]').locator('button'))
      await expect(kept).toHaveCount(1)
      await settled(page)
      await clean(page)

      await page.goto(`${edition.origin}/account/logout`)
      await page.waitForURL((u) => u.pathname === '/')
      expect((await me(page, edition)).email).toBeUndefined()
      await page.goto(`${edition.origin}/account/login?referrer=%2Faccount%2Fprofile`)
      await settled(page)
      await press(page, page.locator('main form:not([action]) button[type=submit]'))
      await page.waitForURL(profile)
      expect((await me(page, edition)).email).toBe(address)

      await press(page, kept.locator('button'))
      await expect(kept).toHaveCount(0)
    })

    await test.step('the address is changed, by a link from the old mailbox and a code from the new one', async () => {
      const next = `new-${unique}@example.org`
      await page.goto(profile)
      await settled(page)
      await press(page, page.locator('main summary'))
      await typed(page, '/fns/user-email', address)
      await expect(page.locator('form[action="/fns/user-email"] [role=alert]').first()).not.toBeEmpty() // it is that already
      await page.locator('form[action="/fns/user-email"] input').fill('')
      await typed(page, '/fns/user-email', next)
      const pending = page.locator('form[action="/fns/user-email/confirm"]')
      await expect(pending).toBeVisible()
      await settled(page)
      await clean(page)

      await phone.goto(await link(page, edition, address, '/account/email?token='))
      await settled(phone)
      await clean(phone)
      expect((await me(page, edition)).email).toBe(address)
      await press(phone, phone.locator('form[action="/fns/user-email/confirm"] button'))
      await expect(phone.locator('form[action="/fns/user-email/confirm"]')).toHaveCount(0)
      expect((await me(page, edition)).email).toBe(address)

      const code = await mailedCode(page.request, edition, next)
      await pending.locator('input').focus()
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await page.waitForURL(/status=EMAIL_CHANGED/)
      expect((await me(page, edition)).email).toBe(next)
    })
    await phone.context().close()
    await tablet.context().close()
    // What is refused, or not answered yet, is a 4xx; browsers write that down.
    expect(bad.filter((one) => !/status of 4(03|09|10|22)/.test(one))).toEqual([])
  })
}
