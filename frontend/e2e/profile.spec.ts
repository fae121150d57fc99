import AxeBuilder from '@axe-core/playwright'
import { expect, test, type APIRequestContext, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { complaints, editions, mailedCode, settled, type Edition } from './paper.ts'

const words = {
  'sk-SK': {
    sections: ['Predplatné', 'Prihlasovacie údaje', 'Diskusné meno', 'Prístupové kľúče', 'Prihlásené zariadenia', 'Platobné údaje', 'Faktúry', 'Newslettre', 'Súhlasy', 'Vaše údaje', 'Zrušiť účet'],
    none: 'Momentálne nemáte žiadne faktúry.', name: 'Diskusné meno', nameSet: 'Vaše diskusné meno bolo', choose: 'Zvoliť diskusné meno', taken: 'už niekto používa', invalid: 'písmená',
    legal: 'Právnická osoba', company: 'Názov firmy', email: 'E-mail pre faktúry', postal: 'PSČ', city: 'Mesto alebo obec', country: 'Krajina', save: 'Uložiť údaje', wrongPostal: 'PSČ vo vybranej krajine', updated: 'Vaše údaje boli aktualizované',
    active: 'Predplatné je aktívne', paid: 'Zaplatená', manage: 'Platby a zrušenie predplatného', cancelled: 'Predplatné ste zrušili',
  },
  de: {
    sections: ['Abo', 'Zugangsdaten', 'Diskussionsname', 'Passkeys', 'Angemeldete Geräte', 'Zahlungsdaten', 'Rechnungen', 'Newsletter', 'Einwilligungen', 'Ihre Daten', 'Konto löschen'],
    none: 'Sie haben derzeit keine Rechnungen.', name: 'Diskussionsname', nameSet: 'Ihr Diskussionsname wurde', choose: 'Diskussionsnamen wählen', taken: 'bereits vergeben', invalid: 'Buchstaben',
    legal: 'Juristische Person', company: 'Name des Unternehmens', email: 'E-Mail für Rechnungen', postal: 'Postleitzahl', city: 'Ort', country: 'Land', save: 'Angaben speichern', wrongPostal: 'Postleitzahl gibt es im gewählten Land', updated: 'Ihre Angaben wurden',
    active: 'Ihr Abo ist aktiv', paid: 'Abgeschlossen', manage: 'Zahlung und Kündigung verwalten', cancelled: 'Sie haben gekündigt',
  },
}
const wordsOf = (edition: Edition) => (edition.lang === 'sk-SK' ? words['sk-SK'] : words.de)

/** A wrong and a right postal code of an edition's own country. */
const places = {
  standard: { country: 'SK', wrong: '1010', typed: '81101', written: '811 01', city: 'Bratislava' },
  standard_at: { country: 'AT', wrong: '81101', typed: 'A-1020', written: '1020', city: 'Wien' },
  standard_com: { country: 'CH', wrong: '80010', typed: 'CH-8001', written: '8001', city: 'Zürich' },
} as const

/** A reader in a browser of their own, who has answered every question that pages ask by themselves. */
async function reader(browser: Browser, request: APIRequestContext, edition: Edition, name: string, javaScriptEnabled = true): Promise<{ page: Page; email: string; context: BrowserContext }> {
  const email = `${name}-${Date.now()}-${edition.id.replaceAll('_', '-')}@example.org`
  const context = await browser.newContext({ javaScriptEnabled })
  const post = async (path: string, data: object) => expect((await context.request.post(edition.origin + path, { headers: { origin: edition.origin }, data })).ok(), path).toBe(true)
  await post('/fns/user-login', { type: 'registration', payload: { email, referrer: '/' } })
  await post('/api/login-code-validation', { email, code: await mailedCode(request, edition, email), type: 'registration' })
  const { documents } = (await (await context.request.get(`${edition.origin}/api/consent-documents`)).json()) as { documents: { id: string; hash: string }[] }
  await post('/api/set-consent-metadata', { consent: documents.map(({ id }) => id), shown: documents.map(({ hash }) => hash) })
  await post('/api/set-gdpr-consent-cookie', { consent: 'necessary' })
  return { page: await context.newPage(), email, context }
}

async function accessible(page: Page, what: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0)) // the way back to the top is no part of what is looked at
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([])
}

/** Goes on by the keyboard until something has the focus, as who has no mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 90; i++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((s) => document.activeElement?.matches(s) === true, selector)) return
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}

const nameField = 'input[name=comment_name]'

for (const edition of editions) {
  test(`${edition.id}: discussion name and billing data by keyboard`, async ({ browser, request }) => {
    test.setTimeout(150_000)
    const w = wordsOf(edition)
    const place = places[edition.id]
    const { page, email, context } = await reader(browser, request, edition, 'profile')
    const other = await reader(browser, request, edition, 'namesake')
    const taken = `Eva.${Date.now()}`
    const named = await other.context.request.post(`${edition.origin}/fns/user-comment-name`, { headers: { origin: edition.origin }, data: { comment_name: taken } })
    expect(named.ok()).toBe(true)
    const bad = complaints(page)
    const profile = page.locator('main')

    await test.step('the profile has its sections, and says what is not there yet', async () => {
      await page.goto(`${edition.origin}/account/profile`)
      await settled(page)
      await expect(profile.locator('h2')).toHaveText(w.sections)
      await expect(profile).toContainText(email)
      await expect(profile).toContainText(w.none)
      await accessible(page, 'profile')
    })

    await test.step('a name that is wrong, one that is taken, and a good one', async () => {
      await tabTo(page, 'a[href$="type=comment_name"]')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/account\/focus\?type=comment_name/)
      await settled(page)
      const field = page.locator(nameField)
      await tabTo(page, nameField)
      for (const [typed, says] of [['Eva!', w.invalid], [taken.toUpperCase(), w.taken]] as const) {
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(typed)
        await page.keyboard.press('Enter')
        await expect(page.locator('main [role=alert]').first()).toContainText(says)
        await expect(field).toHaveValue(typed)
        await expect(field).toBeFocused()
        await accessible(page, typed)
      }
      const mine = `Jana.${Date.now()}`
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(mine)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/account\/profile/)
      await expect(page.getByText(w.nameSet)).toBeVisible()
      await expect(profile).toContainText(mine)
    })

    await test.step('a postal code of another country, then the right one', async () => {
      await page.goto(`${edition.origin}/account/focus?type=invoice_data`)
      await settled(page)
      await expect(page.getByLabel(w.email)).toHaveValue(email)
      await expect(page.getByLabel(w.company)).toBeHidden()
      await accessible(page, 'form')
      await tabTo(page, 'input[value=individual]')
      await page.keyboard.press('ArrowDown')
      await expect(page.getByLabel(w.legal)).toBeChecked()
      await tabTo(page, 'input[name=company_name]')
      await page.keyboard.type('Donaudampfschifffahrt & Söhne')
      await tabTo(page, 'input[name=postal_code]')
      await page.keyboard.type(place.wrong)
      await tabTo(page, 'input[name=city]')
      await page.keyboard.type(place.city)
      await tabTo(page, 'select[name=country]')
      const country = page.getByLabel(w.country, { exact: true })
      for (let i = 0; i < 250 && (await country.inputValue()) !== place.country; i++) await page.keyboard.press('ArrowDown')
      await expect(country).toHaveValue(place.country)
      await tabTo(page, 'main button[type=submit]')
      await page.keyboard.press('Enter')
      const postal = page.getByLabel(w.postal)
      await expect(postal).toBeFocused()
      await expect(postal).toHaveValue(place.wrong)
      await expect(page.locator('main')).toContainText(w.wrongPostal)
      await accessible(page, 'refused')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(place.typed)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/account\/profile/)
      await expect(page.getByText(w.updated)).toBeVisible()
      for (const text of [w.legal, 'Donaudampfschifffahrt & Söhne', `${place.written} ${place.city}`]) await expect(profile).toContainText(text)
    })
    // What a refused name or code answers is an answer, which browsers note as an error.
    expect(bad.filter((line) => !/status of 4(09|22)/.test(line))).toEqual([])
    await context.close()
    await other.context.close()
  })
}

test('a subscription, its invoice, and leaving it in the portal', async ({ browser, request }) => {
  test.setTimeout(120_000)
  const edition = editions[1]
  const w = wordsOf(edition)
  const { page, context } = await reader(browser, request, edition, 'buyer')
  const order = await context.request.post(`${edition.origin}/fns/stripe-payment`, { headers: { origin: edition.origin }, data: { product_type: 'product_monthly', payment_method: 'card', referrer: '/' } })
  await page.goto(((await order.json()) as { data: { redirect: string } }).data.redirect)
  await page.locator('input[name="number"]').fill('4242 4242 4242 4242')
  await page.locator('input[name^="exp"]').first().fill('12/34')
  await page.locator('input[name="cvc"]').fill('123')
  await page.locator('button[name=action][value=pay]').click()
  await page.waitForURL(/\/payment\/success/)
  await expect.poll(async () => ((await (await context.request.get(`${edition.origin}/user/me/`)).json()) as { expiration: number }).expiration, { timeout: 20_000 }).toBeGreaterThan(0)

  await page.goto(`${edition.origin}/account/profile`)
  await settled(page)
  await expect(page.locator('main')).toContainText(w.active)
  const row = page.locator('main tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(w.paid)
  await expect(row).toContainText(/1,00\s€/)
  await accessible(page, 'with an invoice')
  expect(await page.content()).not.toContain('bps_')
  await page.getByRole('link', { name: w.manage }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/portal\/bps_/)
  await page.locator('a[href*="cancel="]').first().click()
  await page.locator('form[action$="/cancel"] button').first().click()
  await page.locator('a[href*="/fns/billing-portal/back"]').first().click()
  await page.waitForURL(/\/account\/profile/)
  await expect(page.locator('main')).toContainText(w.cancelled)
  await context.close()
})

test('without scripts: a name and billing data, refused at their fields with all that was typed', async ({ browser, request }) => {
  test.setTimeout(120_000)
  const edition = editions[0]
  const w = wordsOf(edition)
  const { page, context } = await reader(browser, request, edition, 'quiet', false)
  await page.goto(`${edition.origin}/account/focus`)
  await expect(page).toHaveURL(/\/account\/profile$/)
  await page.getByRole('link', { name: w.choose }).click()
  await page.getByLabel(w.name).fill('Éva!')
  await page.locator('main button[type=submit]').click()
  await expect(page).toHaveURL(/status=INVALID_COMMENT_NAME/)
  await expect(page.getByLabel(w.name)).toHaveValue('Éva!')
  await expect(page.locator('main [role=alert]').first()).toContainText(w.invalid)
  const name = `Éva.${Date.now()}`
  await page.getByLabel(w.name).fill(name)
  await page.locator('main button[type=submit]').click()
  await expect(page).toHaveURL(/\/account\/profile\?status=COMMENT_NAME_SET$/)
  await expect(page.locator('main')).toContainText(name)

  await page.goto(`${edition.origin}/account/focus?type=invoice_data`)
  await expect(page.getByLabel(w.company)).toBeHidden()
  await page.getByLabel(w.legal).check()
  await page.getByLabel(w.company).fill('Nová "& synovia"')
  await page.getByLabel(w.country, { exact: true }).selectOption('AT')
  await page.getByLabel(w.postal).fill('811 01')
  await page.getByLabel(w.email).fill('eva@')
  await page.getByRole('button', { name: w.save }).click({ force: true })
  // The browser holds back what is no address.
  await expect(page).toHaveURL(/type=invoice_data$/)
  await page.getByLabel(w.email).fill('eva@example.org')
  await page.getByRole('button', { name: w.save }).click()
  await expect(page).toHaveURL(/status=INVALID_INVOICE_DATA/)
  await expect(page.locator('main [role=alert]').first()).toContainText(w.wrongPostal)
  await expect(page.getByLabel(w.company)).toHaveValue('Nová "& synovia"')
  await expect(page.getByLabel(w.postal)).toHaveValue('811 01')
  await page.getByLabel(w.country, { exact: true }).selectOption('SK')
  await page.getByRole('button', { name: w.save }).click()
  await expect(page).toHaveURL(/\/account\/profile\?status=INVOICE_DATA_UPDATED$/)
  await expect(page.locator('main')).toContainText('Nová "& synovia"')
  await expect(page.locator('main')).toContainText('811 01')
  await context.close()

  const visitor = await browser.newContext()
  const guest = await visitor.newPage()
  await guest.goto(`${edition.origin}/account/focus?type=comment_name`)
  expect(new URL(guest.url()).pathname).toBe('/')
  await visitor.close()
})
