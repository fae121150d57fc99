import { expect, test } from '@playwright/test'
import { editions, hydrated, must, settled } from './paper.ts'

for (const edition of editions) {
  test(`${edition.id}: a click navigates without a load and moves the focus`, async ({ page }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    await page.evaluate(() => ((window as unknown as { here: boolean }).here = true))
    const link = page.locator('main article a[href], main h2 a[href], main h3 a[href]').first()
    const href = must(await link.getAttribute('href'), 'the address')
    await page.evaluate(() => window.scrollTo(0, 600))
    await link.evaluate((one) => (one as HTMLElement).click())
    await page.waitForURL((u) => u.pathname === new URL(href, edition.origin).pathname)
    expect(await page.evaluate(() => (window as unknown as { here?: boolean }).here)).toBe(true)
    await expect(page.locator('h1')).toBeFocused()
    expect(await page.evaluate(() => window.scrollY), 'a new page begins at its top').toBe(0)
  })
}

const [edition] = editions
const engine = '**/assets/engine-*.js'
const story = 'main article a[href], main h2 a[href], main h3 a[href]'

test('the router is no part of the first view: it comes when somebody points at a link', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => /\/assets\/engine-/.test(request.url()) && fetched.push(request.url()))
  await page.goto(`${edition.origin}/`)
  await hydrated(page)
  expect(fetched).toEqual([])
  await page.locator(story).first().hover()
  await expect.poll(() => fetched.length).toBe(1)
  await page.locator(story).nth(1).hover()
  await page.locator(story).first().click()
  await page.waitForURL((url) => url.pathname !== '/')
  expect(fetched).toHaveLength(1)
})

test('a click that is before the router waits for it, and says so', async ({ page }) => {
  let arrive: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(engine, async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto(`${edition.origin}/`)
  await hydrated(page)
  await page.evaluate(() => ((window as unknown as { here: boolean }).here = true))
  await page.locator(story).first().click()
  await expect(page.locator('main')).toHaveAttribute('aria-busy', 'true')
  expect(new URL(page.url()).pathname).toBe('/')
  arrive()
  await page.waitForURL((url) => url.pathname !== '/')
  await expect(page.locator('h1')).toBeFocused()
  await expect(page.locator('main')).toHaveAttribute('aria-busy', 'false')
  expect(await page.evaluate(() => (window as unknown as { here?: boolean }).here)).toBe(true)
})

test('a click whose router is gone from the server loads the page', async ({ page }) => {
  await page.route(engine, (route) => route.fulfill({ status: 404 }))
  await page.goto(`${edition.origin}/`)
  await hydrated(page)
  await page.evaluate(() => ((window as unknown as { here: boolean }).here = true))
  const href = must(await page.locator(story).first().getAttribute('href'), 'the address')
  await page.locator(story).first().click()
  await page.waitForURL(edition.origin + href)
  await expect(page.locator('h1')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { here?: boolean }).here)).toBeUndefined()
})

test('going back on a page that was loaded anew shows the one before, without a load', async ({ page }) => {
  await page.goto(`${edition.origin}/`)
  await settled(page)
  const href = must(await page.locator(story).first().getAttribute('href'), 'the address')
  await page.locator(story).first().click()
  await page.waitForURL(edition.origin + href)
  await expect(page.locator('#stories')).toHaveCount(0)
  await page.reload()
  await hydrated(page)
  await page.evaluate(() => ((window as unknown as { here: boolean }).here = true))
  await page.goBack()
  await expect(page.locator('#stories')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
  await page.goForward()
  await page.waitForURL(edition.origin + href)
  await expect(page.locator('#stories')).toHaveCount(0)
  expect(await page.evaluate(() => (window as unknown as { here?: boolean }).here)).toBe(true)
})
