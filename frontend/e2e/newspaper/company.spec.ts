import { expect, test } from '@playwright/test'
import { editions, settled } from '../paper.ts'
import { whole } from '../whole.ts'

/** Pages that neither a route nor the footer names. */
const pages = { standard: ['company-en'], standard_at: ['uebersetzungen'], standard_com: ['uebersetzungen'] } as const

for (const edition of editions) {
  for (const width of [390, 1280]) {
    test(`${edition.id} at ${width} px: static pages are whole`, async ({ browser }) => {
      test.setTimeout(120_000)
      await whole(browser, width, Object.fromEntries(pages[edition.id].map((slug) => [slug, `${edition.origin}/static/${slug}`])))
    })
  }
}

test('old numbers and slugs lead to the pages, in the edition that had them', async ({ request }) => {
  const [sk, at] = editions
  for (const [from, to] of Object.entries({
    '/383574': '/historia', '/383601': '/firma', '/383589': '/organizacia', '/624705': '/nase-principy', '/383583': '/kontakty',
    '/383592': '/static/podmienky-pouzivania-osobnych-udajov', '/430328': '/static/vseobecne-obchodne-podmienky', '/383578': '/static/kodex-diskusii',
    '/static/historia': '/historia', '/company-en': '/static/company-en',
  })) {
    const answer = await request.get(sk.origin + from, { maxRedirects: 0 })
    expect([answer.status(), answer.headers().location], from).toEqual([301, to])
    expect((await request.get(sk.origin + to)).status(), to).toBe(200)
  }
  for (const path of ['/383574', '/383578', '/vianoce', '/historia']) expect((await request.get(at.origin + path)).status(), path).toBe(404)
  expect((await request.get(`${at.origin}/geschichte`, { maxRedirects: 0 })).headers().location).toBe('/history')
})

test('the company menu leads from page to page, and the footer to all of them', async ({ page }) => {
  const [sk] = editions
  await page.goto(`${sk.origin}/firma`)
  await settled(page)
  await page.getByRole('navigation', { name: 'O nás' }).getByRole('link', { name: 'História' }).click()
  await page.waitForURL(`${sk.origin}/historia`)
  await expect(page.locator('h1')).toBeFocused()
  const footer = page.getByRole('contentinfo')
  for (const name of ['O spoločnosti', 'História', 'Organizácia', 'Naše princípy', 'Kariéra', 'Kontakty']) await expect(footer.getByRole('link', { name, exact: true })).toBeVisible()
  await expect(footer.getByRole('img', { name: '4 voľné miesta' })).toBeVisible()
  await expect(footer.locator('a[href="/rss"]')).toHaveCount(1)
  await footer.getByRole('link', { name: 'Kariéra', exact: true }).click()
  await expect(page.getByRole('link', { name: /^Uchádzať sa o miesto/ })).toHaveCount(4)
})

test('without scripts and in print the history reads from its first year to its last', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  for (const edition of editions) {
    const page = await context.newPage()
    await page.goto(edition.origin + (edition.id === 'standard' ? '/historia' : '/history'))
    await page.emulateMedia({ media: 'print' })
    const dates = await page.locator('article time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))
    expect(dates).toHaveLength(12)
    expect(dates).toEqual([...dates].sort())
    expect([dates[0], dates.at(-1)]).toEqual(['2020-11', '2025-09'])
    for (const nav of await page.locator('article ~ nav, header nav').all()) await expect(nav).toBeHidden()
    await page.close()
  }
  await context.close()
})
