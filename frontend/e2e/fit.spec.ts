import { expect, test } from '@playwright/test'
import { flaws, lengthen } from './flaws.ts'
import { editions, settled } from './paper.ts'
import { places } from './places.ts'
import { answer, askForMail, register } from './reader.ts'

/** From the narrowest phone to a wide screen; 640 is a window of 1280 pixels at twice the size. */
const widths = [320, 390, 640, 768, 1280, 1920]

for (const edition of editions) {
  test(`${edition.id}: no text is cut, nothing overlaps or scrolls sideways at any width`, async ({ browser, request }) => {
    test.setTimeout(600_000)
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await askForMail(context, edition, `fit-${Date.now()}@example.org`)
    const reader = await browser.newContext({ reducedMotion: 'reduce' })
    await register(reader, edition, 'fit')
    await answer(reader, edition)
    const pages = await places(request, edition)
    const visits = [
      ...Object.entries(pages).map(([name, url]) => ({ name, url, context })),
      ...['/account', '/account/profile', '/account/focus?type=invoice_data', '/account/withdrawal', '/account/gift', '/account/coupon'].map((path) => ({ name: `${path} of a reader`, url: edition.origin + path, context: reader })),
    ]
    const found: string[] = []
    for (const { name, url, context: of } of visits) {
      const page = await of.newPage()
      await page.goto(url)
      await settled(page)
      for (const longer of [false, true]) {
        if (longer) await lengthen(page)
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          for (const flaw of await flaws(page)) found.push(`${name}${longer ? ', longer' : ''}, ${width} px: ${flaw}`)
        }
      }
      await page.close()
    }
    expect(found).toEqual([])
    await context.close()
    await reader.close()
  })
}

test('flaws are found: a wide part, a line that is cut, and lines over each other', async ({ page }) => {
  await page.goto(`${editions[0].origin}/account/login`)
  await settled(page)
  expect(await flaws(page)).toEqual([])
  await page.evaluate(() => {
    const add = (style: string, text: string) => document.body.append(Object.assign(document.createElement('div'), { style, textContent: text }))
    add('inline-size: 3000px', 'far to the right')
    add('inline-size: 40px; overflow: hidden; white-space: nowrap', 'a line that is cut')
    add('block-size: 24px; line-height: 24px', 'below')
    add('margin-block-start: -24px; line-height: 24px', 'above')
  })
  const all = (await flaws(page)).join('\n')
  for (const sign of [/px wider than the window/, /^cut: div\. "a line that is cut"/m, /^over each other: .*"below".*"above"/m]) expect(all).toMatch(sign)
})
