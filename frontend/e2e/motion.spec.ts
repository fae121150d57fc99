import { expect, test, type Page } from '@playwright/test'
import { editions, must, settled } from './paper.ts'
import { places } from './places.ts'

/** What moves, or would on the next change: animations that take time or follow the scrolling smoothly, and transitions. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const name = (one: Element | null) => (one ? `${one.tagName} ${one.className.toString().slice(0, 60)}` : '')
    for (const animation of document.getAnimations()) {
      const effect = animation.effect as KeyframeEffect
      if (effect.getKeyframes().every(({ easing }, index, all) => index === all.length - 1 || easing.startsWith('steps(1'))) continue
      found.push(`${(animation as CSSAnimation).animationName ?? 'transition'} of ${name(effect.target)}`)
    }
    for (const one of document.querySelectorAll('*')) {
      const { transitionDuration, scrollBehavior } = getComputedStyle(one)
      if (transitionDuration.split(',').some((part) => parseFloat(part) > 0)) found.push(`transition of ${name(one)}`)
      if (scrollBehavior === 'smooth') found.push(`smooth scrolling of ${name(one)}`)
    }
    return [...new Set(found)]
  })

for (const edition of editions) {
  for (const width of [390, 1280]) {
    test(`${edition.id} at ${width} px: nothing moves for who wants less motion`, async ({ browser, request }) => {
      test.setTimeout(300_000)
      const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
      const page = await context.newPage()
      for (const [name, url] of Object.entries(await places(request, edition))) {
        await page.goto(`${url}${url.includes('?') ? '&' : '?'}status=ERROR`)
        await settled(page)
        expect(await moving(page), name).toEqual([])
        await page.mouse.wheel(0, 400)
        expect(await moving(page), `${name}, scrolled`).toEqual([])
      }
      await context.close()
    })
  }
}

test('what is looked for here is found where motion is welcome', async ({ page, request }) => {
  const [edition] = editions
  await page.goto(must((await places(request, edition)).front, 'front'))
  await settled(page)
  expect((await moving(page)).join()).toContain('transition')
})

test('who wants less motion has nothing to stop, and rows that jump', async ({ browser }) => {
  const [edition] = editions
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${edition.origin}/`)
  await settled(page)
  await expect(page.locator('[data-shown]').locator('xpath=../..').locator('button').first()).toBeHidden()

  const row = page.locator('main [data-scroller]').first()
  await row.locator('xpath=..').locator('button').last().click()
  expect(await row.evaluate((one) => one.scrollLeft), 'it is there at once').toBeGreaterThanOrEqual(295)
  await context.close()
})
