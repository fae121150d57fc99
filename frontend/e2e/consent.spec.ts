import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { command, documentOf } from './command.ts'
import { press } from './keys.ts'
import { complaints, editions, languages, settled, type Edition } from './paper.ts'
import { me, register } from './reader.ts'
import { wordsOf } from './words.ts'

const groups = { standard: [7], standard_at: [11, 9], english: [11, 9] } as const
const accepted = { standard: 'privacy', standard_at: 'terms,privacy', english: 'terms,privacy' } as const
const region = (page: Page) => page.locator('section[aria-labelledby=consent-title]')
const dialog = (page: Page) => page.locator('dialog[open]')
const agreed = async (page: Page, edition: Edition) => (await me(page.context(), edition)).user_agreed_to_terms
const cookie = async (page: Page, edition: Edition, name: string) => (await page.context().cookies(edition.origin)).find((one) => one.name === name)?.value ?? ''

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settled(page)
}

for (const edition of languages) {
  const t = wordsOf(edition)
  const choice = (page: Page, words: string) => region(page).getByRole('button', { name: t(words), exact: true })
  const answer = (page: Page, words: string) => dialog(page).getByRole('button', { name: t(words), exact: true })
  const inFooter = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: t('consent.settings') })

  test(`${edition.id}: cookies first, then the documents; agreed to by keyboard alone`, async ({ page }) => {
    const bad = complaints(page)
    const foreign: string[] = []
    page.on('request', (r) => new URL(r.url()).origin !== edition.origin && foreign.push(r.url()))
    await register(page.context(), edition, 'consent')
    await open(page, edition.origin)

    await expect(region(page)).toContainText(t('consent.text'))
    await expect(dialog(page)).toHaveCount(0)
    const looks = await region(page).locator('button').evaluateAll((all) => all.map((one) => {
      const { width, height } = one.getBoundingClientRect()
      const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(one)
      return JSON.stringify([Math.round(width), Math.round(height), color, backgroundColor, borderColor, fontSize, fontWeight])
    }))
    expect(looks).toHaveLength(2)
    expect(new Set(looks).size, 'two equal buttons').toBe(1)
    await press(page, choice(page, 'consent.necessary'), 'Enter', 'Shift+Tab')
    await expect(region(page)).toHaveCount(0)
    expect(await cookie(page, edition, 'gdpr_consent')).toMatch(/^necessary\./)

    await expect(dialog(page)).toContainText(t('terms.text'))
    await expect(answer(page, 'terms.agree')).toBeEnabled()
    expect(await dialog(page).locator('section').evaluateAll((all) => all.map((one) => one.querySelectorAll('details').length))).toEqual([...groups[edition.id]])
    await accessible(page, 'the question')

    // The focus goes round inside.
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog[open]') !== null)).toBe(true)
    }
    await press(page, dialog(page).locator('summary').first())
    await expect(dialog(page).locator('details[open] [data-prose]')).toBeVisible()
    await press(page, answer(page, 'terms.agree'))
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => agreed(page, edition)).toBe(accepted[edition.id])
    expect(await cookie(page, edition, 'terms_consent')).toMatch(new RegExp(`^${accepted[edition.id].replace(',', '\\+')}\\.[0-9a-f]{8}$`))

    await open(page, edition.origin)
    await expect(dialog(page)).toHaveCount(0)
    expect(foreign, 'asked of others').toEqual([])
    expect(bad).toEqual([])
  })

  test(`${edition.id}: closed, put off, rejected, by keyboard`, async ({ page }) => {
    await page.context().addCookies([{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }])
    await register(page.context(), edition, 'consent')
    for (const at of ['/static/privacy-notice', '/account/consent']) {
      await open(page, edition.origin + at)
      await expect(dialog(page)).toHaveCount(0)
    }
    await open(page, edition.origin)
    await expect(answer(page, 'terms.agree')).toBeEnabled()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    expect(await agreed(page, edition)).toBe('undefined')

    await open(page, edition.origin)
    await press(page, answer(page, 'terms.later'))
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => agreed(page, edition)).toBe('later')
    await open(page, edition.origin)
    await expect(dialog(page)).toHaveCount(0)

    await open(page, `${edition.origin}/account/consent`)
    await expect(page.getByText(t('consentPage.answer.later'))).toBeVisible()
    await press(page, page.locator('main').getByRole('button', { name: t('terms.reject'), exact: true }))
    if (edition.id === 'standard') {
      await expect(page.getByText(t('consentPage.answer.false'))).toBeVisible()
      expect(await agreed(page, edition)).toBe('false')
    } else {
      await expect.poll(() => cookie(page, edition, 'logged_user')).toBe('')
      expect(await agreed(page, edition)).toBe('undefined')
    }
  })

  test(`${edition.id}: cookies are withdrawn from the foot of the page by keyboard, and asked about when the text is new`, async ({ page }) => {
    await page.context().addCookies([{ name: 'gdpr_consent', value: 'all.of-old', url: edition.origin }])
    await open(page, edition.origin)
    await press(page, choice(page, 'consent.all'), 'Enter', 'Shift+Tab')
    await expect.poll(() => cookie(page, edition, 'gdpr_consent')).toMatch(/^all\.(?!of-old)/)
    await open(page, edition.origin)
    await expect(region(page)).toHaveCount(0)
    await press(page, inFooter(page), 'Enter', 'Shift+Tab')
    await press(page, choice(page, 'consent.necessary'))
    await expect.poll(() => cookie(page, edition, 'gdpr_consent')).toMatch(/^necessary\./)
    await expect(region(page)).toHaveCount(0)
  })

  test(`${edition.id}: without scripts there is a page for all of it`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    await register(page.context(), edition, 'consent')
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
  const edition = editions[2] // no other test is asked about documents there
  await page.context().addCookies([{ name: 'gdpr_consent', value: 'necessary', url: edition.origin }])
  await register(page.context(), edition, 'consent')
  expect((await page.request.post(`${edition.origin}/api/set-consent-metadata`, { data: { consent: 'true' } })).ok()).toBe(true)
  expect(await agreed(page, edition)).toBe('true')
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'consent-')), 'standard_com.yaml')
  const text = documentOf(edition)
  const apply = (content: string) => {
    writeFileSync(file, content)
    command('edition', 'apply', file)
  }
  try {
    apply(text.replace("id: privacy, version: '2025-09-01'", "id: privacy, version: '2026-12-01'"))
    await expect.poll(() => agreed(page, edition)).toBe('undefined')
    await open(page, edition.origin)
    await expect(dialog(page).getByRole('button', { name: wordsOf(edition)('terms.agree') })).toBeEnabled()
    await expect(dialog(page)).toContainText('1. Dezember 2026')
  } finally {
    apply(text)
  }
  await expect.poll(() => agreed(page, edition)).toBe('true')
})
