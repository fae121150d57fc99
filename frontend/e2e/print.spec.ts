import { expect, test } from '@playwright/test'
import { editions, must, posts, settled } from './paper.ts'

for (const edition of editions) {
  test(`${edition.id} on paper: masthead and day first, and nothing that has to be clicked`, async ({ page, request }) => {
    const article = must((await posts(request, edition, false))[0], 'an open post')
    for (const path of ['/', `/category/${edition.section}`, new URL(article.post_url, edition.origin).pathname]) {
      await page.goto(edition.origin + path)
      await settled(page)
      await page.emulateMedia({ media: 'print' })
      const masthead = page.locator('header').first()
      await expect(masthead, path).toContainText(String(new Date().getFullYear()))
      await expect(masthead.getByText(String(new Date().getFullYear())), path).toBeVisible()
      for (const gone of ['footer', '[data-scroller]', 'header button', '[data-print=hide]']) {
        for (const element of await page.locator(gone).all()) await expect(element, `${path} ${gone}`).toBeHidden()
      }
      const text = await page.evaluate(() => getComputedStyle(document.body).font)
      expect(text, path).toContain('Newsreader')
      await page.emulateMedia({ media: 'screen' })
    }
  })
}
