import { expect, test, type Browser, type Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { press, tabTo, write } from './keys.ts'
import { complaints, languages, mailedCode, settled, type Edition } from './paper.ts'
import { addressOf, answer, letter, me } from './reader.ts'
import { wordsOf } from './words.ts'

const cookies = (edition: Edition) => [{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }]

/** Another browser of the same or another person. */
async function another(browser: Browser, edition: Edition): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await context.addCookies(cookies(edition))
  return context.newPage()
}

const atHome = (url: URL) => url.pathname === '/'
const wrongOf = (code: string) => (code === '123456' ? '654321' : '123456')

for (const edition of languages) {
  test(`${edition.id}: all ways in, by keyboard`, async ({ page, browser }) => {
    test.setTimeout(180_000)
    const t = wordsOf(edition)
    const bad = complaints(page)
    const address = addressOf(edition, 'ways')
    const profile = `${edition.origin}/account/profile`
    const heading = (of: Page) => of.getByRole('heading', { level: 1 })
    const button = (of: Page, words: string) => of.locator('main').getByRole('button', { name: t(words), exact: true })
    const email = async (of: Page) => (await me(of.context(), edition)).email
    const open = async (of: Page, url: string) => {
      await of.goto(url)
      await settled(of)
    }
    const ask = async (of: Page, referrer = '/') => {
      await open(of, `${edition.origin}/account/login?referrer=${encodeURIComponent(referrer)}`)
      await expect(heading(of)).toHaveText(t('login.title'))
      await write(of, of.getByLabel(t('account.email')), address)
      await of.keyboard.press('Enter')
      await of.waitForURL(/\/account\/sent/)
      await expect(heading(of)).toHaveText(t('sent.title.login'))
    }
    await page.context().addCookies(cookies(edition))
    const phone = await another(browser, edition)

    await test.step('what is no address is refused, and an address registers', async () => {
      await open(page, `${edition.origin}/account/registration`)
      await expect(heading(page)).toHaveText(t('registration.title'))
      const field = page.getByLabel(t('account.email'))
      await write(page, field, 'no address')
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('status.INVALID_EMAIL'))).toBeVisible()
      await expect(field).toBeFocused()
      await write(page, field, address)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/account\/sent/)
      await settled(page)
      await expect(heading(page)).toHaveText(t('sent.title.registration'))
      await accessible(page, 'sent')
    })

    await test.step('a link is opened in a second browser, and the code still lets the first one in', async () => {
      await phone.goto((await letter(page.request, edition, address, '/security-check')).link)
      await expect(heading(phone)).toHaveText(t('link.title.confirm'))
      expect(await email(phone)).toBeUndefined()
      await press(phone, button(phone, 'login.submit'))
      await phone.waitForURL(atHome)
      expect(await email(phone)).toBe(address)

      const code = await mailedCode(page.request, edition, address)
      await expect(page.getByRole('group', { name: t('sent.code.label') })).toBeVisible()
      const box = page.locator('input[autocomplete="one-time-code"]').first()
      await tabTo(page, box)
      await page.keyboard.type(wrongOf(code), { delay: 20 })
      await expect(page.getByText(t('status.INVALID_CODE'))).toBeVisible()
      await expect(box).toBeFocused()
      await page.keyboard.type(code, { delay: 20 })
      await page.waitForURL(atHome)
      expect(await email(page)).toBe(address)
      await answer(page.context(), edition)
    })

    await test.step('a passkey is offered after a login by a mail, and the no is kept', async () => {
      const offer = page.locator('section[aria-labelledby=passkey-offer-title]')
      await page.goto(`${edition.origin}/search`)
      await settled(page)
      await expect(offer).toBeVisible()
      await accessible(page, 'offered a passkey')
      const kept = page.waitForResponse((r) => r.url().endsWith('/fns/passkeys/decline') && r.ok())
      await press(page, offer.locator('button').first())
      await expect(offer).toHaveCount(0)
      await kept
      expect((await page.context().cookies()).filter((one) => one.name === 'passkey_offer')).toEqual([])
    })

    const tablet = await another(browser, edition)
    await test.step('a login is allowed on another device', async () => {
      await ask(tablet, '/search')
      await accessible(tablet, 'waiting')
      await expect(tablet.getByText(t('sent.approve.waiting'))).toBeVisible()
      const pending = tablet.waitForResponse(/\/api\/login-approval$/)
      await open(page, edition.origin)
      await page.keyboard.press('Escape') // a welcome, if there is one
      await press(page, page.locator('header').getByRole('button', { name: t('header.profile'), exact: true }))
      await press(page, page.getByRole('link', { name: t('profile.loginRequest') }))
      await page.waitForURL(profile)
      await settled(page)
      await expect(page.getByRole('heading', { name: t('profilePage.requests.title') })).toBeVisible()
      await accessible(page, 'asked')
      await pending // it asks by itself, and nothing answers by itself
      expect(await email(tablet)).toBeUndefined()
      const number = (await tablet.getByText(/^\d\d$/).textContent()) ?? ''
      await press(page, page.getByRole('button', { name: number, exact: true }))
      await page.waitForURL(/status=LOGIN_APPROVED/)
      await expect(page.getByText(t('status.LOGIN_APPROVED'))).toBeVisible()
      await expect(page.getByRole('button', { name: number, exact: true })).toHaveCount(0)
      await tablet.waitForURL((url) => url.pathname === '/search')
      expect(await email(tablet)).toBe(address)
    })

    await test.step('a login is refused on another device', async () => {
      const stranger = await another(browser, edition)
      await ask(stranger)
      await open(page, profile)
      await press(page, button(page, 'profilePage.requests.no'))
      await page.waitForURL(/status=LOGIN_REFUSED/)
      await expect(stranger.getByText(t('status.LOGIN_DENIED'))).toBeVisible()
      expect(await email(stranger)).toBeUndefined()
      await stranger.context().close()
    })

    await test.step('the other sessions are ended', async () => {
      await open(page, profile)
      const rows = page.locator('form[action="/user/sessions/end"] input[name=id]')
      await expect(rows).toHaveCount(3)
      await press(page, button(page, 'profilePage.sessions.others'))
      await expect(rows).toHaveCount(1)
      expect(await email(tablet)).toBeUndefined()
      expect(await email(phone)).toBeUndefined()
    })

    await test.step('a passkey is made, and lets its reader in', async () => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('WebAuthn.enable')
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      })
      const kept = page.locator('form[action="/fns/passkeys/remove"]')
      await open(page, profile)
      await press(page, button(page, 'profilePage.passkeys.add'))
      await expect(kept).toHaveCount(1)
      await settled(page)
      await accessible(page, 'with a passkey')

      await page.goto(`${edition.origin}/account/logout`) // led to from nowhere, it asks
      await press(page, button(page, 'logout.submit'))
      await page.waitForURL(atHome)
      expect(await email(page)).toBeUndefined()
      await open(page, `${edition.origin}/account/login?referrer=%2Faccount%2Fprofile`)
      await press(page, button(page, 'login.passkey'))
      await page.waitForURL(profile)
      expect(await email(page)).toBe(address)

      await press(page, kept.getByRole('button'))
      await expect(kept).toHaveCount(0)
    })

    await test.step('the address is changed, by a link from the old mailbox and a code from the new one', async () => {
      const next = addressOf(edition, 'new')
      await open(page, profile)
      await press(page, page.locator('summary').filter({ hasText: t('profilePage.login.change') }))
      const field = page.getByLabel(t('profilePage.login.newEmail'))
      await write(page, field, address)
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('status.EMAIL_UNCHANGED'))).toBeVisible()
      await write(page, field, next)
      await page.keyboard.press('Enter')
      const code = page.getByLabel(t('profilePage.login.code'))
      await expect(code).toBeVisible()
      await expect(page.getByRole('heading', { name: t('profilePage.login.pending', { email: next }) })).toBeVisible()
      await settled(page)
      await accessible(page, 'changing')

      await open(phone, (await letter(page.request, edition, address, '/account/email?token=')).link)
      await accessible(phone, 'from the old mailbox')
      expect(await email(page)).toBe(address)
      await press(phone, button(phone, 'emailChange.confirm.submit'))
      await expect(button(phone, 'emailChange.confirm.submit')).toHaveCount(0)
      await expect(heading(phone)).toHaveText(t('emailChange.title'))
      expect(await email(page)).toBe(address)

      await write(page, code, await mailedCode(page.request, edition, next))
      await page.keyboard.press('Enter')
      await page.waitForURL(/status=EMAIL_CHANGED/)
      await expect(page.getByText(t('status.EMAIL_CHANGED'))).toBeVisible()
      expect(await email(page)).toBe(next)
    })
    await phone.context().close()
    await tablet.context().close()
    // What is refused, or not answered yet, is a 4xx; browsers write that down.
    expect(bad.filter((one) => !/status of 4(03|09|10|22)/.test(one))).toEqual([])
  })
}
