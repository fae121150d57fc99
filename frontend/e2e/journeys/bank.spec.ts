import { writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { accessible } from '../axe.ts'
import { command, documentOf } from '../command.ts'
import { complaints, languages, linesOf, must, posts, settled } from '../paper.ts'
import { answer, letter, me, register } from '../reader.ts'
import { wordsOf } from '../words.ts'

/** A statement of an account (camt.053) with one payment. */
const statement = (account: string, reference: string, amount: string, id: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${account}</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${new Date().toISOString().slice(0, 10)}</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef>
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Mara Example</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`

for (const edition of languages) {
  test(`${edition.id}: a year is ordered by transfer, paid by a statement and read`, async ({ browser }, info) => {
    test.setTimeout(120_000)
    const t = wordsOf(edition)
    const context = await browser.newContext()
    const email = await register(context, edition, 'bank')
    await answer(context, edition)
    const page = await context.newPage()
    const bad = complaints(page)

    await page.goto(`${edition.origin}/account`)
    await settled(page)
    const way = page.getByLabel(t('account.by.iban'))
    await expect(way).toBeHidden()
    await page.locator('#product-product_yearly').check()
    await way.check()
    await accessible(page, 'the choice of how to pay')
    await page.getByRole('button', { name: t('account.payTransfer') }).click()
    await page.waitForURL(/\/account\/transfer\?slip=/)
    await settled(page)

    const code = page.getByRole('img', { name: /89/ })
    await expect(code).toBeVisible()
    expect(await code.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
    const iban = must(/^ {2}iban: (\S+)/m.exec(documentOf(edition))?.[1], 'the account')
    const details = page.getByRole('main').locator('dl')
    await expect(details).toContainText(iban.replace(/(.{4})(?=.)/g, '$1 '))
    const reference = must(await details.locator('dd').nth(5).textContent(), 'the reference')
    await accessible(page, 'the details of a transfer')
    await page.setViewportSize({ width: 320, height: 700 })
    const kept = [details.locator('dd').nth(1), details.getByText(reference), details.getByText(/^PF-\d+-\d+$/), page.getByRole('link', { name: /PF-\d+-\d+$/ })]
    for (const number of kept) expect(await linesOf(number)).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await accessible(page, 'the details of a transfer on a small screen')
    for (const width of [640, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await details.evaluate((list) => [...list.querySelectorAll('dd')].filter((dd) => dd.scrollWidth > dd.clientWidth).map((dd) => dd.textContent))).toEqual([])
    }
    const { link } = await letter(context.request, edition, email, '/account/transfer?slip=')
    expect(link).toBe(page.url())
    expect((await me(context, edition)).expiration).toBe(0)

    const still = await browser.newContext({ javaScriptEnabled: false })
    const plain = await still.newPage()
    await plain.goto(link)
    await expect(plain.getByText(reference)).toBeVisible()
    await expect(plain.getByRole('button', { name: t('sale.transfer.print') })).toBeHidden()
    await still.close()

    await page.goto(`${edition.origin}/account/profile`)
    await settled(page)
    const row = page.getByRole('table').getByRole('row').nth(1)
    await expect(row).toContainText(t('profilePage.invoices.status.draft'))
    expect(await row.getByRole('link').first().getAttribute('href')).toBe(new URL(link).pathname + new URL(link).search)

    const file = info.outputPath('statement.xml')
    writeFileSync(file, statement(iban, reference, '89.00', email))
    expect(command('bank', 'import', file, '--edition', edition.id)).toContain('1 payments paired, 0 in the queue')
    expect(command('bank', 'import', file, '--edition', edition.id)).toContain('0 payments paired, 0 in the queue, 1 known before')
    await expect.poll(async () => (await me(context, edition)).expiration * 1000).toBeGreaterThan(Date.now() + 364 * 86_400_000)
    await letter(context.request, edition, email, '/account/invoice/FV-')

    const locked = (await posts(context.request, edition, true))[0]
    if (edition.id !== 'english') must(locked, 'a locked post')
    if (locked) {
      await page.goto(edition.origin + new URL(locked.post_url, edition.origin).pathname)
      await expect(page.locator('[data-prose] > p').nth(4)).toBeAttached()
      await expect(page.locator('.paywalled')).toHaveCount(0)
    }
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t('sale.transfer.paid.title'))
    await page.goto(`${edition.origin}/account/profile`)
    await settled(page)
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(t('profilePage.invoices.status.paid'))
    expect(bad).toEqual([])
    await context.close()
  })
}
