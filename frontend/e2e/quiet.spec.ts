import { expect, test } from '@playwright/test'
import { editions, settled } from './paper.ts'
import { places } from './places.ts'

/** What may be kept before a choice: nothing but what a thing that was asked for needs. */
const necessary = [/^session$/, /^logged_user$/, /^lr$/, /^typed$/]

for (const edition of editions) {
  test(`${edition.id}: before a choice about cookies nothing is asked of others, and nothing is kept`, async ({ browser, request }) => {
    test.setTimeout(180_000)
    const context = await browser.newContext()
    const page = await context.newPage()
    const foreign: string[] = []
    context.on('request', (r) => /^https?:|^wss?:/.test(r.url()) && new URL(r.url()).origin !== edition.origin && foreign.push(`${page.url()} asks ${r.url()}`))
    for (const [name, url] of Object.entries(await places(request, edition))) {
      await page.goto(url)
      await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0)
      await page.mouse.wheel(0, 4000) // what waits until it is seen
      await page.waitForLoadState('networkidle')
      const kept = await page.evaluate(async () => ({
        local: Object.keys(localStorage),
        session: Object.keys(sessionStorage),
        databases: (await indexedDB.databases()).map((one) => one.name),
        caches: await caches.keys().catch(() => []),
        workers: (await navigator.serviceWorker?.getRegistrations().catch(() => []))?.length ?? 0,
      }))
      expect(kept, name).toEqual({ local: [], session: [], databases: [], caches: [], workers: 0 })
      expect((await context.cookies()).map((one) => one.name).filter((one) => !necessary.some((allowed) => allowed.test(one))), name).toEqual([])
    }
    expect(foreign).toEqual([])

    // The choice itself: one that is kept, by one row that proves it, and what was refused stays away.
    await page.goto(edition.origin)
    await settled(page)
    const answered = page.waitForResponse(/set-gdpr-consent-cookie/)
    await page.locator('section[aria-labelledby=consent-title] button').first().click()
    expect((await answered).ok()).toBe(true)
    await expect.poll(async () => (await context.cookies()).map((one) => one.name).sort()).toEqual(['consent_id', 'gdpr_consent'])
    await page.goto(edition.origin)
    await settled(page)
    expect(foreign).toEqual([])
    await context.close()
  })
}
