import { expect, test } from '@playwright/test'
import { editions, must, settled } from '../paper.ts'
import { pageData, paths } from './lists.ts'

interface Card {
  id: number
  title: string
}
interface Front {
  lead: Card[]
  second: Card[]
  featured: Card[]
  picks: Card[]
  special: Card[]
  videos: Card[]
  opinion: { versus: Card[]; more: Card[] }
  sections: { cards: Card[] }[]
  topic?: { cards: Card[] }
}

for (const edition of editions) {
  test(`${edition.id}: the top stories are there without waiting, and no story stands twice`, async ({ browser, page }) => {
    const data = await pageData<Front>(page, edition, '/')
    const all = [data.lead, data.second, data.featured, data.picks, data.special, data.videos, data.opinion.versus, data.opinion.more, data.topic?.cards ?? [], ...data.sections.map(({ cards }) => cards)].flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
    const plain = await context.newPage()
    await plain.goto(`${edition.origin}/`)
    for (const { title } of data.lead.slice(0, 3)) await expect(plain.locator('#stories').getByRole('heading', { name: title })).toBeInViewport()
    await context.close()
  })

  test(`${edition.id}: one grid from the lead to the last category`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const path of ['/', `/category/${edition.section}`, paths[edition.id].minutes, '/search/Europa', paths[edition.id].videos]) {
      await page.goto(edition.origin + path)
      // Eight columns end, and four begin, at the same places everywhere.
      const edges = await page.evaluate(() => {
        const all = [...document.querySelectorAll('[class*="beside_"] > [class*="media_"], [class*="span8_"], [class*="columns_"] > [class*="main_"], [class*="reader_"] > [class*="main_"]')]
        return all.filter((one) => one.getBoundingClientRect().width > 0).map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right].map(Math.round))
      })
      expect(edges.length, path).toBeGreaterThan(0)
      for (const edge of edges) expect(edge, path).toEqual([75, 821])
    }
  })

  test(`${edition.id}: a finger on a section name opens the story below it`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const hit = await page.locator('#stories article').first().evaluate((card) => {
      const kicker = card.querySelector('a[href*="category"]')
      kicker?.scrollIntoView({ block: 'center' })
      const box = kicker?.getBoundingClientRect()
      const there = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
      return there?.closest('a')?.getAttribute('href')
    })
    expect(hit).not.toContain('category')
  })

  test(`${edition.id}: the keyboard skips the short news, and its ring is whole`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const skip = page.locator('a[href="#stories"]')
    await skip.focus()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('#stories') !== null)).toBe(true)

    // The ring is drawn within what it belongs to, so that no row that scrolls can cut it.
    await skip.focus()
    for (const within of [0, 1, 2]) {
      await page.keyboard.press('Tab')
      const ring = await page.evaluate(() => {
        const link = must(document.activeElement)
        const ring = getComputedStyle(link, '::after')
        return [getComputedStyle(link).outlineStyle, ring.outlineStyle, parseFloat(ring.outlineOffset) <= -3]
        function must<T>(value: T | null): T {
          if (!value) throw new Error('nothing has the focus')
          return value
        }
      })
      expect(ring, `item ${within}`).toEqual(['none', 'solid', true])
    }
    const bar = page.locator('nav[data-print=hide] li a').first()
    await bar.focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    expect(await bar.evaluate((link) => [getComputedStyle(link).outlineStyle, parseFloat(getComputedStyle(link).outlineOffset) <= -3])).toEqual(['solid', true])
  })

  test(`${edition.id}: everything that the paper has is in its navigation`, async ({ browser, page }) => {
    const words = paths[edition.id]
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const sisters = editions.filter(({ id }) => id !== edition.id).map(({ origin }) => `${origin}/`)
    const bar = page.locator('header nav[data-print=hide]')
    for (const to of [words.minutes, words.topics, words.videos, '/newsletters', ...sisters]) await expect(bar.locator(`a[href="${to}"]`), to).toBeVisible()
    await page.getByRole('button', { name: /^Men[uü]$/ }).click()
    for (const to of [words.minutes, words.topics, words.videos, '/newsletters', ...sisters]) await expect(page.locator(`#header-menu a[href="${to}"]`), to).toBeVisible()
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    const plain = await context.newPage()
    await plain.goto(`${edition.origin}/`)
    for (const to of [words.minutes, words.topics, words.videos, '/newsletters', ...sisters]) await expect(plain.locator(`footer a[href="${to}"]`), to).toBeVisible()
    await context.close()
  })

  test(`${edition.id}: the bar marks the section of an article`, async ({ page }) => {
    const { sections } = await pageData<{ sections: { section: { url: string }; cards: { url: string }[] }[] }>(page, edition, '/')
    const { section, cards } = must(sections[0], 'a section')
    await page.goto(edition.origin + must(cards[0], 'an article').url)
    await expect(page.locator('header nav[data-print=hide] a[aria-current]')).toHaveAttribute('href', section.url)
  })

  test(`${edition.id}: without a connection the page stays and says so, however often`, async ({ page, context }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const heading = await page.locator('#stories h2').first().textContent()
    await context.setOffline(true)
    for (let time = 0; time < 2; time++) {
      await page.locator('#stories h2 a').nth(time).click()
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
      await expect(page.locator('header')).toBeVisible()
      await expect(page.locator('#stories h2').first()).toHaveText(heading ?? '')
    }
    await context.setOffline(false)
    await page.locator('#stories h2 a').first().click()
    await expect(page.locator('h1')).toHaveText(heading ?? '')
  })

  test(`${edition.id}: the page of videos goes without scripts, and plays with them`, async ({ browser, page }) => {
    const words = paths[edition.id]
    const { cards } = await pageData<{ cards: { id: number; title: string; url: string; locked: boolean; video?: object }[] }>(page, edition, words.videos)
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    const plain = await context.newPage()
    await plain.goto(edition.origin + words.videos)
    await expect(plain.locator('main article')).toHaveCount(cards.length)
    await context.close()
    await page.goto(edition.origin + words.videos)
    await settled(page)
    const open = must(cards.find(({ locked, video }) => video && !locked), 'an open video')
    await page.locator(`main article a[href="${open.url}"]`).first().click()
    await expect(page.locator('dialog[open]')).toBeVisible()
    expect(new URL(page.url()).searchParams.get('video-komentar')).toBe(String(open.id))
  })
}
