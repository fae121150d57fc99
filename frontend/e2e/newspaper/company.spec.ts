import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { complaints, editions, settled } from '../paper.ts'

const pages = {
  standard: ['/historia', '/organizacia', '/kontakty', '/nase-principy', '/firma', '/kariera', '/vianoce', '/static/company-en', '/static/privacy-notice', '/static/kodex-diskusii'],
  standard_at: ['/history', '/organisation', '/contact', '/our-principles', '/company', '/karriere', '/static/company-en', '/static/uebersetzungen', '/static/privacy-notice'],
  standard_com: ['/history', '/organisation', '/contact', '/our-principles', '/company', '/karriere', '/static/company-en', '/static/uebersetzungen', '/static/privacy-notice'],
} as const

for (const edition of editions) {
  for (const [width, colorScheme] of [[390, 'light'], [1280, 'light'], [390, 'dark'], [1280, 'dark']] as const) {
    test(`${edition.id} at ${width} px, ${colorScheme}: the company's pages are whole`, async ({ browser }) => {
      test.setTimeout(120_000)
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
      for (const path of pages[edition.id]) {
        const page = await context.newPage()
        const heard = complaints(page)
        const answer = await page.goto(edition.origin + path)
        expect(answer?.status(), path).toBe(200)
        await settled(page)
        await expect(page.locator('h1')).toHaveCount(1)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), path).toBeLessThanOrEqual(0)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map((v) => `${path}: ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
        expect(heard, path).toEqual([])
        await page.close()
      }
      await context.close()
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
    await page.goto(edition.origin + pages[edition.id][0])
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
