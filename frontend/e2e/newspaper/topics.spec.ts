import { expect, test } from '@playwright/test'
import { editions, must, settled } from '../paper.ts'
import { pageData, paths } from './lists.ts'

interface Topics {
  current?: { title: string; url: string }
  topics: { title: string; url: string; covers: unknown[] }[]
}

for (const edition of editions) {
  const home = paths[edition.id].topics

  test(`${edition.id}: from the shelf to a topic, its neighbour and back, without scripts too`, async ({ browser, page }) => {
    const { current, topics } = await pageData<Topics>(page, edition, home)
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled })
      const reader = await context.newPage()
      await reader.goto(edition.origin + home)
      if (javaScriptEnabled) await settled(reader)
      await expect(reader.locator('main h3')).toHaveCount(topics.length)
      await reader.getByRole('link', { name: must(current, 'a current topic').title }).first().click()
      await expect(reader.locator('h1')).toHaveText(must(current, 'a current topic').title)
      await reader.locator('main nav a').last().click()
      await expect(reader.locator('h1')).toHaveText(must(topics[1], 'an older topic').title)
      await reader.locator(`main header a[href="${home}"]`).click()
      await expect(reader.locator('main h3')).toHaveCount(topics.length)
      await context.close()
    }
  })
}
