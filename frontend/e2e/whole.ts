import AxeBuilder from '@axe-core/playwright'
import { expect, type Browser, type Page } from '@playwright/test'
import { complaints, settled } from './paper.ts'

interface Moves {
  shift: number
  moved: string[]
}

/** Adds up what jumps while the page loads. */
function watchMoves() {
  const moves: Moves = { shift: 0, moved: [] }
  Object.assign(window, { moves })
  new PerformanceObserver((list) => {
    for (const e of list.getEntries() as unknown as { value: number; hadRecentInput: boolean; sources: { node?: Node }[] }[]) {
      if (e.hadRecentInput) continue
      moves.shift += e.value
      for (const { node } of e.sources) moves.moved.push(`${e.value.toFixed(3)} ${node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent?.slice(0, 40)}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

const violations = async (page: Page, rules?: string[]) => {
  const axe = new AxeBuilder({ page })
  const found = (await (rules ? axe.withRules(rules) : axe).analyze()).violations
  return found.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)
}

/** Pictures that were fetched ahead, and that the page shows in another size or not at all. */
const fetchedForNothing = (page: Page) =>
  page.evaluate(() => {
    const shown = new Set([...document.images].map((image) => image.currentSrc))
    const ahead = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter((one) => one.initiatorType === 'link' && one.name.includes('/img/'))
    return ahead.map((one) => one.name).filter((address) => !shown.has(address))
  })

/**
 * Opens each page once and looks at all that must never be wrong: nothing is said in the console or fails to load, nothing
 * jumps or spills over, one heading, whole pictures, and nobody is shut out, in light and in dark.
 */
export async function whole(browser: Browser, width: number, pages: Record<string, string>): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })
  for (const [name, url] of Object.entries(pages)) {
    const page = await context.newPage()
    const heard = complaints(page)
    await page.addInitScript(watchMoves)
    await page.goto(url)
    await settled(page)
    await expect(page.locator('h1'), `headings of ${name}`).toHaveCount(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} is wider than the window`).toBeLessThanOrEqual(width)
    const { shift, moved } = await page.evaluate(() => (window as unknown as { moves: Moves }).moves)
    expect(shift, `${name} jumps: ${moved.join('\n')}`).toBeLessThanOrEqual(0.02)
    const broken = await page.evaluate(() => [...document.images].filter((i) => i.complete && i.naturalWidth === 0 && i.currentSrc).map((i) => i.currentSrc))
    expect(broken, `pictures of ${name}`).toEqual([])
    expect(await fetchedForNothing(page), `${name} fetches pictures ahead that it does not show`).toEqual([])
    expect(await violations(page), name).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, ['color-contrast']), `${name} in the dark`).toEqual([])
    // The browser itself reports a missing page as a failed resource; that is the answer it should get.
    expect(heard.filter((words) => !(name === 'not found' && words.includes('404'))), name).toEqual([])
    await page.close()
  }
  await context.close()
}
