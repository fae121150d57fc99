import { expect, test } from '@playwright/test'
import { accessible } from './axe.ts'
import { complaints, languages, linesOf, settled } from './paper.ts'
import { answer, call, letter, register, subscribe } from './reader.ts'
import { wordsOf } from './words.ts'

for (const edition of languages) {
  test(`${edition.id}: an invoice is read, printed and kept, with scripts and without`, async ({ browser }) => {
    test.setTimeout(120_000)
    const t = wordsOf(edition)
    const context = await browser.newContext()
    const email = await register(context, edition, 'payer')
    await answer(context, edition)
    await call(context, edition, '/fns/user-data-set', { data: { email, name: 'Ľubica Größová', line1: 'Kvetná 5', city: 'Žilina', postal_code: '010 01', country: 'SK' } })
    await subscribe(context, edition)
    const { link } = await letter(context.request, edition, email, '/account/invoice/')

    const page = await context.newPage()
    const noise = complaints(page)
    await page.goto(`${edition.origin}/account/profile`)
    await settled(page)
    const row = page.getByRole('table').getByRole('row').nth(1)
    await expect(row).toContainText(t('profilePage.invoices.status.paid'))
    for (const width of [640, 320, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await linesOf(row.getByRole('link').first()), `the number at ${width} px`).toBe(1)
    }
    const [opened] = await Promise.all([context.waitForEvent('page'), row.getByRole('link').first().click()])
    await settled(opened)
    expect(opened.url()).toBe(link)
    await opened.close()

    await page.goto(link)
    await settled(page)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/FV-\d{4}-\d{6}/)
    for (const text of ['Ľubica Größová', '010 01 Žilina', t('invoice.method.card')]) await expect(page.getByRole('article')).toContainText(text)
    await accessible(page, 'the invoice')
    await page.setViewportSize({ width: 320, height: 700 })
    await accessible(page, 'the invoice on a small screen')
    for (const number of [page.getByText(/^FV-\d+-\d+$/), page.getByText(/^[A-Z]{2}\d{2}[ \d]{11,}$/)]) expect(await linesOf(number)).toBe(1)
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const [name, begins] of [
      [t('invoice.pdf'), '%PDF-'],
      [t('invoice.xml'), '<?xml'],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
      expect(file.suggestedFilename()).toMatch(/^FV-\d{4}-\d{6}\.(pdf|xml)$/)
      const chunks: Buffer[] = []
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString('latin1').startsWith(begins)).toBe(true)
    }
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('link', { name: t('invoice.pdf') })).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    await expect(page.getByText('Ľubica Größová')).toBeVisible()
    expect(noise).toEqual([])

    const still = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
    const plain = await still.newPage()
    await plain.goto(link)
    await expect(plain.getByRole('heading', { level: 1 })).toContainText(/FV-/)
    await expect(plain.getByRole('button', { name: t('invoice.print') })).toBeHidden()
    await expect(plain.getByRole('link', { name: t('invoice.pdf') })).toBeVisible()

    const other = await browser.newContext()
    await register(other, edition, 'stranger')
    const foreign = await other.newPage()
    expect((await foreign.goto(link))?.status()).toBe(404)
    for (const one of [context, still, other]) await one.close()
  })
}
