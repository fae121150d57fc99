import { expect, test } from '@playwright/test'
import { editions, settled } from './paper.ts'
import { places } from './places.ts'

for (const edition of editions) {
  for (const width of [390, 1280]) {
    test(`${edition.id} at ${width} px: nothing spills, jumps or is missing`, async ({ browser, request }, info) => {
      test.setTimeout(240_000)
      const context = await browser.newContext({ viewport: { width, height: 900 } })
      for (const [name, url] of Object.entries(await places(request, edition))) {
        const page = await context.newPage()
        await page.addInitScript(() => {
          const w = window as unknown as { shift: number; moved: string[] }
          w.shift = 0
          w.moved = []
          new PerformanceObserver((list) => {
            for (const e of list.getEntries() as unknown as { value: number; hadRecentInput: boolean; sources: { node?: Node }[] }[]) {
              if (e.hadRecentInput) continue
              w.shift += e.value
              for (const { node } of e.sources) w.moved.push(`${e.value.toFixed(3)} ${node instanceof Element ? `${node.tagName}.${node.className}` : node?.textContent?.slice(0, 40)}`)
            }
          }).observe({ type: 'layout-shift', buffered: true })
        })
        await page.goto(url)
        await settled(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} is wider than the window`).toBeLessThanOrEqual(width)
        expect(await page.locator('h1').count(), `headings of ${name}`).toBe(1)
        const { shift, moved } = await page.evaluate(() => {
          const w = window as unknown as { shift: number; moved: string[] }
          return { shift: w.shift, moved: w.moved }
        })
        expect(shift, `${name} jumps: ${moved.join(', ')}`).toBeLessThanOrEqual(0.02)
        const broken = await page.evaluate(() => [...document.images].filter((i) => i.complete && i.naturalWidth === 0 && i.currentSrc).map((i) => i.currentSrc))
        expect(broken, `pictures of ${name}`).toEqual([])
        await page.screenshot({ path: info.outputPath(`${name.replaceAll(' ', '-')}.png`), fullPage: true })
        await page.close()
      }
      await context.close()
    })
  }

  test(`${edition.id}: the first screen of the front page is a newspaper's`, async ({ page }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const high = await page.locator('main h2 a, main h3 a').evaluateAll((all) => all.filter((a) => a.getBoundingClientRect().bottom < 900 && a.getBoundingClientRect().height > 0).length)
    expect(high, 'headlines within the first 900 pixels').toBeGreaterThanOrEqual(4)
    expect(await page.locator('main img').count()).toBeGreaterThan(20)
  })
}
