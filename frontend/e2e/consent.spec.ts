import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { complaints, editions, mailedCode, must, settled, type Edition } from './paper.ts'

const groups = { standard: [7], standard_at: [11, 9], standard_com: [11, 9] } as const
const accepted = { standard: 'privacy', standard_at: 'terms,privacy', standard_com: 'terms,privacy' } as const
const region = (page: Page) => page.locator('section[aria-labelledby=consent-title]')
const dialog = (page: Page) => page.locator('dialog[open]')
const answersOf = (page: Page) => dialog(page).locator('button:not(:has(svg))')
const agreed = async (page: Page, edition: Edition) => (await (await page.request.get(`${edition.origin}/user/me/`)).json()).user_agreed_to_terms as string
const cookie = async (page: Page, edition: Edition, name: string) => (await page.context().cookies(edition.origin)).find((one) => one.name === name)?.value ?? ''

/** A new reader, signed in by the calls that the pages make. */
async function signIn(page: Page, edition: Edition, address = `consent-${Date.now()}-${Math.round(Math.random() * 1e6)}@example.org`): Promise<string> {
  await page.request.post(`${edition.origin}/fns/user-login`, { data: { type: 'registration', payload: { email: address, referrer: '/' } } })
  const code = await mailedCode(page.request, edition, address)
  expect((await page.request.post(`${edition.origin}/api/login-code-validation`, { data: { email: address, code, referrer: '/', type: 'registration' } })).ok()).toBe(true)
  return address
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settled(page)
}

for (const edition of editions) {
  test(`${edition.id}: cookies first, then the documents; agreed to by keyboard alone`, async ({ page }) => {
    const bad = complaints(page)
    const foreign: string[] = []
    page.on('request', (r) => new URL(r.url()).origin !== edition.origin && foreign.push(r.url()))
    await signIn(page, edition)
    await open(page, edition.origin)

    await expect(region(page)).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    const looks = await region(page).locator('button').evaluateAll((all) => all.map((one) => {
      const { width, height } = one.getBoundingClientRect()
      const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(one)
      return JSON.stringify([Math.round(width), Math.round(height), color, backgroundColor, borderColor, fontSize, fontWeight])
    }))
    expect(looks).toHaveLength(2)
    expect(new Set(looks).size, 'two equal buttons').toBe(1)
    await region(page).locator('button').first().focus()
    await page.keyboard.press('Enter')
    await expect(region(page)).toHaveCount(0)
    expect(await cookie(page, edition, 'gdpr_consent')).toMatch(/^necessary\./)

    await expect(dialog(page)).toBeVisible()
    await expect(answersOf(page).first()).toBeEnabled()
    expect(await dialog(page).locator('section').evaluateAll((all) => all.map((one) => one.querySelectorAll('details').length))).toEqual([...groups[edition.id]])
    expect((await new AxeBuilder({ page }).include('dialog[open]').analyze()).violations.map((v) => v.id)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)

    // The focus goes round inside.
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog[open]') !== null)).toBe(true)
    }
    const summary = dialog(page).locator('summary').first()
    await summary.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page).locator('details[open] [data-prose]')).toBeVisible()
    await answersOf(page).first().focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => agreed(page, edition)).toBe(accepted[edition.id])
    expect(await cookie(page, edition, 'terms_consent')).toMatch(new RegExp(`^${accepted[edition.id].replace(',', '\\+')}\\.[0-9a-f]{8}$`))

    await open(page, edition.origin)
    await expect(dialog(page)).toHaveCount(0)
    expect(foreign, 'asked of others').toEqual([])
    expect(bad).toEqual([])
  })

  test(`${edition.id}: closed, put off, rejected`, async ({ page }) => {
    await page.context().addCookies([{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }])
    await signIn(page, edition)
    for (const at of ['/static/privacy-notice', '/account/consent']) {
      await open(page, edition.origin + at)
      await expect(dialog(page)).toHaveCount(0)
    }
    await open(page, edition.origin)
    await expect(answersOf(page).first()).toBeEnabled()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    expect(await agreed(page, edition)).toBe('undefined')

    await open(page, edition.origin)
    await answersOf(page).nth(1).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => agreed(page, edition)).toBe('later')
    await open(page, edition.origin)
    await expect(dialog(page)).toHaveCount(0)

    await open(page, `${edition.origin}/account/consent`)
    await page.locator('form[action="/api/set-consent-metadata"] button').nth(2).click()
    if (edition.id === 'standard') {
      await settled(page)
      expect(await agreed(page, edition)).toBe('false')
    } else {
      await expect.poll(() => cookie(page, edition, 'logged_user')).toBe('')
      expect(await agreed(page, edition)).toBe('undefined')
    }
  })

  test(`${edition.id}: cookies are withdrawn from the foot of the page, and asked about when the text is new`, async ({ page }) => {
    await page.context().addCookies([{ name: 'gdpr_consent', value: 'all.of-old', url: edition.origin }])
    await open(page, edition.origin)
    await region(page).locator('button').nth(1).click()
    await expect.poll(() => cookie(page, edition, 'gdpr_consent')).toMatch(/^all\.(?!of-old)/)
    await open(page, edition.origin)
    await expect(region(page)).toHaveCount(0)
    await page.locator('footer a[href="/account/consent"]').focus()
    await page.keyboard.press('Enter')
    await region(page).locator('button').first().click()
    await expect.poll(() => cookie(page, edition, 'gdpr_consent')).toMatch(/^necessary\./)
    await expect(region(page)).toHaveCount(0)
  })

  test(`${edition.id}: without scripts there is a page for all of it`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    await signIn(page, edition)
    await page.goto(edition.origin)
    await page.locator('footer a[href="/account/consent"]').click()
    await expect(page).toHaveURL(`${edition.origin}/account/consent`)
    const cookies = page.locator('form[action="/api/set-gdpr-consent-cookie"]')
    for (const [index, want] of [[1, 'all'], [0, 'necessary']] as const) {
      await cookies.locator('button').nth(index).click()
      await expect.poll(() => cookie(page, edition, 'gdpr_consent')).toMatch(new RegExp(`^${want}\\.`))
      await expect(page).toHaveURL(`${edition.origin}/account/consent`)
    }
    const terms = page.locator('form[action="/api/set-consent-metadata"]')
    await terms.locator('button').nth(1).click()
    await expect.poll(() => agreed(page, edition)).toBe('later')
    await expect(page).toHaveURL(`${edition.origin}/account/consent`)
    await terms.locator('button').first().click()
    await expect.poll(() => agreed(page, edition)).toBe(accepted[edition.id])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.locator('summary').first().click()
    await expect(page.locator('details[open] [data-prose]')).toBeVisible()
    await context.close()
  })
}

test('a new version of a document asks its readers again', async ({ page }) => {
  test.setTimeout(120_000)
  const edition = editions[2]
  await page.context().addCookies([{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }])
  await signIn(page, edition)
  expect((await page.request.post(`${edition.origin}/api/set-consent-metadata`, { data: { consent: 'true' } })).ok()).toBe(true)
  expect(await agreed(page, edition)).toBe('true')
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'consent-')), 'standard_com.yaml')
  const text = readFileSync(path.join(import.meta.dirname, '../../tenants/standard_com.yaml'), 'utf8')
  const apply = (content: string) => {
    writeFileSync(file, content)
    execFileSync(path.join(import.meta.dirname, '../../bin/broadsheet'), ['edition', 'apply', file, '--data', must(process.env.E2E_DATA, 'the data folder')], { stdio: 'pipe' })
  }
  try {
    apply(text.replace("id: privacy, version: '2025-09-01'", "id: privacy, version: '2026-12-01'"))
    await expect.poll(() => agreed(page, edition)).toBe('undefined')
    await open(page, edition.origin)
    await expect(answersOf(page).first()).toBeEnabled()
    await expect(dialog(page)).toContainText('2026-12-01')
  } finally {
    apply(text)
  }
  await expect.poll(() => agreed(page, edition)).toBe('true')
})
