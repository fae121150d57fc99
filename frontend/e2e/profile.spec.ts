import { expect, test, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { press, tabTo, write } from './keys.ts'
import { complaints, editions, languages, settled, type Edition } from './paper.ts'
import { answer, call, register, subscribe } from './reader.ts'
import { wordsOf } from './words.ts'

const sections = ['subscription', 'login', 'name', 'passkeys', 'sessions', 'payment', 'invoices', 'newsletters', 'consent', 'export', 'leave']

/** A wrong and a right postal code of a country, and one whose codes look otherwise. */
const places = {
  standard: { country: 'SK', wrong: '1010', typed: '81101', written: '811 01', city: 'Bratislava', other: 'AT' },
  standard_at: { country: 'AT', wrong: '81101', typed: 'A-1020', written: '1020', city: 'Wien', other: 'DE' },
  english: { country: 'CH', wrong: '80010', typed: 'CH-8001', written: '8001', city: 'Zürich', other: 'DE' },
} as const

/** A reader in a browser of their own, who has answered every question that pages ask by themselves. */
async function reader(browser: Browser, edition: Edition, name: string, javaScriptEnabled = true): Promise<{ page: Page; email: string; context: BrowserContext }> {
  const context = await browser.newContext({ javaScriptEnabled })
  const email = await register(context, edition, name)
  await answer(context, edition)
  return { page: await context.newPage(), email, context }
}

/** Goes through a list by the arrows of the keyboard. */
async function choose(page: Page, list: Locator, value: string): Promise<void> {
  await tabTo(page, list)
  const steps = await list.evaluate((one, wanted) => [...(one as HTMLSelectElement).options].findIndex((option) => option.value === wanted) - (one as HTMLSelectElement).selectedIndex, value)
  for (let i = 0; i < Math.abs(steps); i++) await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp')
  await expect(list).toHaveValue(value)
}

for (const edition of languages) {
  test(`${edition.id}: discussion name and billing data by keyboard`, async ({ browser }) => {
    test.setTimeout(150_000)
    const t = wordsOf(edition)
    const place = places[edition.id]
    const { page, email, context } = await reader(browser, edition, 'profile')
    const other = await reader(browser, edition, 'namesake')
    const taken = `Eva.${Date.now()}`
    await call(other.context, edition, '/fns/user-comment-name', { comment_name: taken })
    const bad = complaints(page)
    const profile = page.locator('main')

    await test.step('the profile has its sections, and says what is not there yet', async () => {
      await page.goto(`${edition.origin}/account/profile`)
      await settled(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profilePage.title'))
      await expect(profile.locator('h2')).toHaveText(sections.map((one) => t(`profilePage.${one}.title`)))
      await expect(profile).toContainText(email)
      await expect(profile).toContainText(t('profilePage.invoices.none'))
      await accessible(page, 'profile')
    })

    await test.step('a name that is wrong, one that is taken, and a good one', async () => {
      await press(page, page.getByRole('link', { name: t('profilePage.name.set') }))
      await page.waitForURL(/\/account\/focus\?type=comment_name/)
      await settled(page)
      const field = page.getByLabel(t('focusPage.name.field'))
      for (const [typed, says] of [['Eva!', 'status.INVALID_COMMENT_NAME'], [taken.toUpperCase(), 'status.COMMENT_NAME_EXISTS']] as const) {
        await write(page, field, typed)
        await page.keyboard.press('Enter')
        await expect(page.locator('main [role=alert]').first()).toHaveText(t(says))
        await expect(field).toHaveValue(typed)
        await expect(field).toBeFocused()
        await accessible(page, typed)
      }
      const mine = `Jana.${Date.now()}`
      await write(page, field, mine)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/account\/profile/)
      await expect(page.getByText(t('status.COMMENT_NAME_SET'))).toBeVisible()
      await expect(profile).toContainText(mine)
    })

    await test.step('a country that is none, a postal code of another country, then the right ones', async () => {
      await page.goto(`${edition.origin}/account/focus?type=invoice_data`)
      await settled(page)
      const [company, postal] = [page.getByLabel(t('focusPage.data.companyName')), page.getByLabel(t('focusPage.data.postalCode'))]
      const country = page.getByLabel(t('focusPage.data.country'), { exact: true })
      await expect(page.getByLabel(t('focusPage.data.email'))).toHaveValue(email)
      await expect(company).toBeHidden()
      await accessible(page, 'form')
      await tabTo(page, page.getByLabel(t('focusPage.data.individual')))
      await page.keyboard.press('ArrowDown')
      await expect(page.getByLabel(t('focusPage.data.legalEntity'))).toBeChecked()
      await write(page, company, 'Donaudampfschifffahrt & Söhne')
      await write(page, postal, place.wrong)
      await write(page, page.getByLabel(t('focusPage.data.city'), { exact: true }), place.city)

      // The form of another day may offer a country that is no longer one.
      await country.evaluate((list) => list.append(new Option('Atlantis', 'XX')))
      await choose(page, country, 'XX')
      await press(page, page.getByRole('button', { name: t('focusPage.data.submit') }))
      await expect(page.getByText(t('focusPage.data.wrong.country'))).toBeVisible()
      await expect(country).toHaveValue('XX')
      await accessible(page, 'a country that is none')

      for (const [code, land] of [[place.wrong, place.country], [place.typed, place.other]] as const) {
        await choose(page, country, land)
        await page.keyboard.press('Shift+Tab')
        await write(page, postal, code)
        await page.keyboard.press('Enter')
        await expect(page.getByText(t('focusPage.data.wrong.postalCode'))).toBeVisible()
        await expect(postal).toBeFocused()
        await expect(postal).toHaveValue(code)
        await accessible(page, `${code} in ${land}`)
      }
      await choose(page, country, place.country)
      await press(page, page.getByRole('button', { name: t('focusPage.data.submit') }))
      await page.waitForURL(/\/account\/profile/)
      await expect(page.getByText(t('status.INVOICE_DATA_UPDATED'))).toBeVisible()
      for (const text of [t('focusPage.data.legalEntity'), 'Donaudampfschifffahrt & Söhne', `${place.written} ${place.city}`]) await expect(profile).toContainText(text)
    })
    // What a refused name or code answers is an answer, which browsers note as an error.
    expect(bad.filter((line) => !/status of 4(09|22)/.test(line))).toEqual([])
    await context.close()
    await other.context.close()
  })
}

test('a subscription, its invoice, and leaving it in the portal', async ({ browser }) => {
  test.setTimeout(120_000)
  const edition = editions[1]
  const t = wordsOf(edition)
  const { page, context } = await reader(browser, edition, 'buyer')
  await subscribe(context, edition)
  await page.goto(`${edition.origin}/account/profile`)
  await settled(page)
  await expect(page.locator('main')).toContainText('Ihr Abo ist aktiv')
  const row = page.locator('main tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(t('profilePage.invoices.status.paid'))
  await expect(row).toContainText(/1,00\s€/)
  await accessible(page, 'with an invoice')
  expect(await page.content()).not.toContain('bps_')
  await page.getByRole('link', { name: t('profilePage.subscription.manage') }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/portal\/bps_/)
  await page.locator('a[href*="cancel="]').first().click()
  await page.locator('form[action$="/cancel"] button').first().click()
  await page.locator('a[href*="/fns/billing-portal/back"]').first().click()
  await page.waitForURL(/\/account\/profile/)
  await expect(page.locator('main')).toContainText('Sie haben gekündigt')
  await context.close()
})

test('without scripts: a name and billing data, refused at their fields with all that was typed', async ({ browser }) => {
  test.setTimeout(120_000)
  const edition = editions[2]
  const t = wordsOf(edition)
  const { page, context } = await reader(browser, edition, 'quiet', false)
  await page.goto(`${edition.origin}/account/focus`)
  await expect(page).toHaveURL(/\/account\/profile$/)
  await page.getByRole('link', { name: t('profilePage.name.set') }).click()
  await page.getByLabel(t('focusPage.name.field')).fill('Éva!')
  await page.locator('main button[type=submit]').click()
  await expect(page).toHaveURL(/status=INVALID_COMMENT_NAME/)
  await expect(page.getByLabel(t('focusPage.name.field'))).toHaveValue('Éva!')
  await expect(page.locator('main [role=alert]').first()).toContainText(t('status.INVALID_COMMENT_NAME'))
  const name = `Éva.${Date.now()}`
  await page.getByLabel(t('focusPage.name.field')).fill(name)
  await page.locator('main button[type=submit]').click()
  await expect(page).toHaveURL(/\/account\/profile\?status=COMMENT_NAME_SET$/)
  await expect(page.locator('main')).toContainText(name)

  await page.goto(`${edition.origin}/account/focus?type=invoice_data`)
  await expect(page.getByLabel(t('focusPage.data.companyName'))).toBeHidden()
  await page.getByLabel(t('focusPage.data.legalEntity')).check()
  await page.getByLabel(t('focusPage.data.companyName')).fill('Nová "& synovia"')
  await page.getByLabel(t('focusPage.data.country'), { exact: true }).selectOption('AT')
  await page.getByLabel(t('focusPage.data.postalCode')).fill('811 01')
  await page.getByLabel(t('focusPage.data.email')).fill('eva@')
  await page.getByRole('button', { name: t('focusPage.data.submit') }).click({ force: true })
  // The browser holds back what is no address.
  await expect(page).toHaveURL(/type=invoice_data$/)
  await page.getByLabel(t('focusPage.data.email')).fill('eva@example.org')
  await page.getByRole('button', { name: t('focusPage.data.submit') }).click()
  await expect(page).toHaveURL(/status=INVALID_INVOICE_DATA/)
  await expect(page.locator('main [role=alert]').first()).toContainText(t('focusPage.data.wrong.postalCode'))
  await expect(page.getByLabel(t('focusPage.data.companyName'))).toHaveValue('Nová "& synovia"')
  await expect(page.getByLabel(t('focusPage.data.postalCode'))).toHaveValue('811 01')
  await page.getByLabel(t('focusPage.data.country'), { exact: true }).selectOption('SK')
  await page.getByRole('button', { name: t('focusPage.data.submit') }).click()
  await expect(page).toHaveURL(/\/account\/profile\?status=INVOICE_DATA_UPDATED$/)
  await expect(page.locator('main')).toContainText('Nová "& synovia"')
  await expect(page.locator('main')).toContainText('811 01')
  await context.close()

  const visitor = await browser.newContext()
  const guest = await visitor.newPage()
  await guest.goto(`${edition.origin}/account/focus?type=comment_name`)
  expect(new URL(guest.url()).pathname).toBe('/account/login')
  await visitor.close()
})
