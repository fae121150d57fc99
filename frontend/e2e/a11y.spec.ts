import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { editions, settled } from './paper.ts'
import { places } from './places.ts'

for (const edition of editions) {
  for (const width of [390, 1280]) {
    for (const colorScheme of edition === editions[0] ? (['light', 'dark'] as const) : (['light'] as const)) {
      test(`${edition.id} at ${width} px, ${colorScheme}: axe finds nothing`, async ({ browser, request }) => {
        test.setTimeout(240_000)
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
        for (const [name, url] of Object.entries(await places(request, edition))) {
          const page = await context.newPage()
          await page.goto(url)
          await settled(page)
          const { violations } = await new AxeBuilder({ page }).analyze()
          expect(violations.map((v) => `${name}: ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
          await page.close()
        }
        await context.close()
      })
    }
  }
}
