import { expect, test } from '@playwright/test'
import { press } from './keys.ts'
import { editions, settled } from './paper.ts'

// What pages keep and ask of others before a choice about cookies, every walk looks at (whole.ts).
for (const edition of editions) {
  test(`${edition.id}: the choice about cookies is kept, by one row that proves it, and what was refused stays away`, async ({ browser }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const foreign: string[] = []
    context.on('request', (r) => /^https?:|^wss?:/.test(r.url()) && new URL(r.url()).origin !== edition.origin && foreign.push(`${page.url()} asks ${r.url()}`))
    await page.goto(edition.origin)
    await settled(page)
    const answered = page.waitForResponse(/set-gdpr-consent-cookie/)
    await press(page, page.locator('section[aria-labelledby=consent-title] button').first(), 'Enter', 'Shift+Tab')
    expect((await answered).ok()).toBe(true)
    await expect.poll(async () => (await context.cookies()).map((one) => one.name).sort()).toEqual(['consent_id', 'gdpr_consent'])
    await page.goto(edition.origin)
    await settled(page)
    expect(foreign).toEqual([])
    await context.close()
  })
}
