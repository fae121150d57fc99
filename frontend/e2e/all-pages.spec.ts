import { expect, test } from '@playwright/test'
import { violations } from './axe.ts'
import { flaws } from './flaws.ts'
import { members } from './members.ts'
import { editions, english, settled } from './paper.ts'
import { places } from './places.ts'
import { view, whole } from './whole.ts'

for (const width of [390, 1280]) {
  // Every narrow visit tries all widths. A wide one adds what moves and whom it shuts out there, which no language decides.
  for (const edition of width === 390 ? [...editions, english] : editions) {
    test(`${edition.id} at ${width} px: every kind of page is whole, still and discreet`, async ({ browser, request }) => {
      test.setTimeout(600_000)
      await whole(browser, width, await places(request, edition))
    })
  }
  for (const edition of width === 390 ? [...editions, english] : [editions[1]]) {
    test(`${edition.id} at ${width} px: so is every page of a reader`, async ({ browser, request }) => {
      test.setTimeout(300_000)
      for (const { context, pages } of await members(browser, edition, await places(request, edition), view(width))) await whole(browser, width, pages, context)
    })
  }
}

for (const edition of editions) {
  test(`${edition.id}: the first screen of the front page is a newspaper's`, async ({ page }) => {
    await page.goto(`${edition.origin}/`)
    await settled(page)
    const high = await page.locator('main h2 a, main h3 a').evaluateAll((all) => all.filter((a) => a.getBoundingClientRect().bottom < 900 && a.getBoundingClientRect().height > 0).length)
    expect(high, 'headlines within the first 900 pixels').toBeGreaterThanOrEqual(4)
    expect(await page.locator('main img').count()).toBeGreaterThan(20)
    expect(await page.evaluate(() => document.querySelectorAll('*').length), 'elements of the front page').toBeLessThan(3000)
  })
}

test('who is shut out is found: by a picture without words, by faint words, and in a frame', async ({ page }) => {
  await page.goto(`${editions[0].origin}/account/login`)
  await settled(page)
  expect(await violations(page)).toEqual([])
  await page.evaluate(() => {
    const faint = Object.assign(document.createElement('p'), { id: 'faint', textContent: 'faint words' })
    faint.style.color = '#ddd'
    document.body.append(Object.assign(new Image(), { id: 'mute', src: '/favicon.svg' }), faint, Object.assign(document.createElement('iframe'), { id: 'inner', title: 'frame', src: '/account/registration' }))
  })
  const frame = page.frameLocator('#inner')
  await frame.locator('section[aria-labelledby=consent-title]').waitFor() // all of it is there
  await frame.locator('body').evaluate((body) => body.append(Object.assign(document.createElement('img'), { id: 'within', src: '/favicon.svg' })))
  const found = (await violations(page)).join('\n')
  for (const sign of [/^image-alt: .*mute/m, /^image-alt: .*within/m, /^color-contrast: .*faint/m]) expect(found).toMatch(sign)
  expect((await violations(page, ['color-contrast'])).join()).toMatch(/^color-contrast: .*faint/)
})

test('flaws are found: a wide part, a line that is cut, one that stands out, and lines over each other', async ({ page }) => {
  await page.goto(`${editions[0].origin}/account/login`)
  await settled(page)
  expect(await flaws(page)).toEqual([])
  expect(await flaws(page, { longer: true })).toEqual([])
  const add = (all: [style: string, text: string][]) =>
    page.evaluate((all) => {
      for (const [style, text] of all) document.body.append(Object.assign(document.createElement('div'), { style, textContent: text }))
    }, all)
  await add([['inline-size: 16em; overflow: hidden; white-space: nowrap', 'a line that just fits here']])
  expect(await flaws(page)).toEqual([])
  expect((await flaws(page, { longer: true })).join()).toMatch(/cut: div\. "a line that just fits here a line that/)
  expect(await flaws(page), 'the texts are as long as before').toEqual([])
  await add([
    ['inline-size: 3000px', 'far to the right'],
    ['inline-size: 40px; overflow: hidden; white-space: nowrap', 'a line that is cut'],
    ['inline-size: 40px; white-space: nowrap', 'a line that stands out'],
    ['block-size: 24px; line-height: 24px', 'below'],
    ['margin-block-start: -24px; line-height: 24px', 'above'],
  ])
  const all = (await flaws(page)).join('\n')
  for (const sign of [/px wider than the window/, /^cut: div\. "a line that is cut"/m, /^out of its box: div\. "a line that stands out"/m, /^over each other: .*"below".*"above"/m]) expect(all).toMatch(sign)
})
