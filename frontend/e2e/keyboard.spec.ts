import { expect, test } from '@playwright/test'
import { tabTo } from './keys.ts'
import { editions, must, settled } from './paper.ts'
import { pageData, paths } from './newspaper/lists.ts'
import { wordsOf } from './words.ts'

const [sk, , ch] = editions

test('the first stop skips to the content, and the menu, the search and the account open and close by keys', async ({ page }) => {
  await page.goto(`${sk.origin}/`)
  await settled(page)
  await page.keyboard.press('Tab')
  await expect(page.locator('a[href="#content"]')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true)

  await page.goto(`${sk.origin}/`)
  await settled(page)
  for (const [name, panel] of [['Menu', '#header-menu'], ['Hľadať', '#header-search'], ['Účet', '#header-profile']] as const) {
    const button = page.locator('header').getByRole('button', { name, exact: true }).first()
    await tabTo(page, button)
    await page.keyboard.press('Enter')
    await expect(page.locator(panel)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator(panel)).toHaveCount(0)
    await expect(button).toBeFocused()
  }
})

test('the carousel is stopped and turned by keys, and hidden slides are no stops', async ({ page }) => {
  await page.goto(`${sk.origin}/`)
  await settled(page)
  const carousel = page.locator('[data-shown]').locator('xpath=../..')
  const pause = carousel.getByRole('button').first()
  await tabTo(page, pause)
  await page.keyboard.press('Enter')
  await expect(pause).toHaveAccessibleName('Spustiť striedanie')
  const third = carousel.getByRole('button').nth(3)
  await tabTo(page, third, 'Tab', 5)
  await page.keyboard.press('Space')
  await expect(third).toHaveAttribute('aria-current', 'true')
  await expect(page.locator('[data-shown]')).toHaveAttribute('aria-label', must(await third.textContent(), 'its name'))
  const stops = await carousel.locator('[inert] a').count()
  expect(stops).toBeGreaterThan(0)
  for (let stop = 0; stop < 12; stop++) {
    expect(await page.evaluate(() => document.activeElement?.closest('[inert]'))).toBeNull()
    await page.keyboard.press('Shift+Tab')
  }
})

test('a row of videos scrolls by keys: what takes the focus comes into sight, and the arrows are buttons', async ({ page }) => {
  const t = wordsOf(sk)
  await page.goto(`${sk.origin}/`)
  await settled(page)
  const row = page.locator('[data-scroller]:has([class*=length])').first()
  const arrow = (way: 'previous' | 'next') => row.locator('xpath=..').getByRole('button', { name: t(`scroller.${way}`) })
  const place = () => row.evaluate((one) => Math.round(one.scrollLeft))
  const last = row.locator('h3 a, h4 a').last()
  await row.locator('h3 a, h4 a').first().focus()
  await tabTo(page, last, 'Tab', 80)
  await expect(last).toBeInViewport()
  await tabTo(page, arrow('previous'), 'Tab', 3)
  const end = await place()
  await page.keyboard.press('Enter')
  await expect.poll(place).toBeLessThanOrEqual(end - 240)
  await tabTo(page, arrow('next'), 'Tab', 3)
  const back = await place()
  await page.keyboard.press('Enter')
  await expect.poll(place).toBeGreaterThan(back + 100)
})

test('lists grow by keys, and the reader goes on at what came', async ({ page }) => {
  await page.goto(`${sk.origin}/category/${sk.section}`)
  await settled(page)
  const before = await page.locator('main article').count()
  const more = page.getByRole('link', { name: 'Načítať ďalšie' })
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  await expect(page.locator('main article')).not.toHaveCount(before)
  expect(await page.evaluate(() => document.activeElement?.closest('article') !== null)).toBe(true)
})

test('short news are read, shared and left by keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { items } = await pageData<{ items: { title: string }[] }>(page, sk, paths.standard.minutes)
  await page.goto(sk.origin + paths.standard.minutes)
  await settled(page)
  const next = page.getByRole('button', { name: paths.standard.next })
  await tabTo(page, next)
  await page.keyboard.press('Enter')
  const story = page.locator('main li[data-current]')
  await expect(story.locator('h3')).toHaveText(must(items[1], 'a second').title)
  const copy = story.getByRole('button', { name: 'Kopírovať odkaz' })
  await tabTo(page, copy, 'Tab', 40)
  await page.keyboard.press('Enter')
  await expect(story.getByRole('status')).toHaveText('Odkaz je skopírovaný')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(sk.origin)
})

test('a message can be read in peace and closed by keys, and is gone from the address', async ({ page }) => {
  await page.goto(`${ch.origin}/?status=INVALID_CODE`)
  await settled(page)
  const close = page.locator('div > [role=alert] + button')
  await close.focus()
  await page.waitForTimeout(6000)
  await expect(close).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('div > [role=alert] + button')).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
})

test('the question about cookies is answered by keys, and asked again from the footer', async ({ page }) => {
  await page.goto(`${sk.origin}/`)
  await settled(page)
  const region = page.getByRole('region', { name: 'Cookies' })
  await region.getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await expect(region).toHaveCount(0)
  const again = page.getByRole('contentinfo').getByRole('link', { name: 'Nastavenie cookies' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(region).toBeVisible()
})
