import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { violations } from './axe.ts'
import { flaws } from './flaws.ts'
import { moving } from './moving.ts'
import { complaints, settled } from './paper.ts'
import { askForMail } from './reader.ts'

export interface Moves {
  shift: number
  moved: string[]
}

/** What browsers say of a jump. */
interface Jump {
  startTime: number
  value: number
  hadRecentInput: boolean
  sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** Adds up what jumps while the page loads. */
export function watchMoves() {
  const moves: Moves = { shift: 0, moved: [] }
  Object.assign(window, { moves })
  new PerformanceObserver((list) => {
    const at = (r: DOMRectReadOnly) => [r.x, r.y, r.width, r.height].map(Math.round).join(' ')
    for (const e of list.getEntries() as unknown as Jump[]) {
      if (e.hadRecentInput) continue
      moves.shift += e.value
      for (const { node, previousRect, currentRect } of e.sources) {
        const what = node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent?.slice(0, 40)
        moves.moved.push(`${e.value.toFixed(3)} after ${Math.round(e.startTime)} ms, ${at(previousRect)} to ${at(currentRect)}: ${what}`)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Pictures that were fetched ahead, and that the page shows in another size or not at all. */
const fetchedForNothing = (page: Page) =>
  page.evaluate(() => {
    const shown = new Set([...document.images].map((image) => image.currentSrc))
    const ahead = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter((one) => one.initiatorType === 'link' && one.name.includes('/img/'))
    return ahead.map((one) => one.name).filter((address) => !shown.has(address))
  })

/** What may be kept before a choice about cookies: nothing but what a thing that was asked for needs. */
const necessary = ['session', 'logged_user', 'known', 'lr', 'typed']

const kept = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map((one) => one.name),
    caches: await caches.keys().catch(() => []),
    workers: (await navigator.serviceWorker?.getRegistrations().catch(() => []))?.length ?? 0,
  }))

const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** How many elements match. Not a locator: it first sends a third of a megabyte of Playwright's tools into every page. */
const count = (page: Page, selector: string) => page.evaluate((of) => document.querySelectorAll(of).length, selector)

/** Scrolls, and waits until what is loaded when it is seen has been asked for. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.wheel(0, 4000)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))))
}

/** From the narrowest phone to a wide screen; the third is a window of 1280 × 900 pixels at twice the size. */
const windows = [[320, 640], [390, 844], [640, 450], [768, 1024], [1280, 900], [1920, 1080]] as const

/** No text is cut, nothing overlaps and nothing scrolls sideways in any window, nor with text that is half again as long. */
async function fits(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  const found: string[] = []
  await page.evaluate(() => {
    document.documentElement.style.clipPath = 'inset(100%)' // boxes are measured; nobody looks at what would be painted
    // Nor at pictures, which would come in another size for every window. Their boxes do not depend on the file.
    for (const image of document.images) {
      if (image.complete) image.sizes = `${image.clientWidth}px`
      else image.removeAttribute('srcset')
    }
  })
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    for (const longer of [false, true]) {
      for (const flaw of await flaws(page, { longer })) found.push(`at ${width} px${longer ? ', with longer text' : ''}: ${flaw}`)
    }
  }
  expect(found, name).toEqual([])
}

/** A window of that width, of somebody who wants less motion. */
export const view = (width: number): BrowserContextOptions => ({ viewport: { width, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })

/** What the browser has to request on every page. It may cache scripts: compiling them again is a third of the cost of loading a page. */
const uncached = ['*.woff2', '*.css', '*/img/*']

/** Has pages load as on a first visit over a slow line: our fonts come when the page has long been there in those of the system. */
export async function simulateFirstVisit(page: Page): Promise<void> {
  // Playwright's own routes would turn the cache off, for scripts as well.
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', async ({ requestId, resourceType, responseStatusCode: responseCode, responseHeaders = [] }) => {
    if (resourceType === 'Font') await wait(400)
    const unstored = [...responseHeaders.filter(({ name }) => name.toLowerCase() !== 'cache-control'), { name: 'Cache-Control', value: 'no-store' }]
    await session.send('Fetch.continueResponse', responseCode ? { requestId, responseCode, responseHeaders: unstored } : { requestId }).catch(() => undefined) // the page was left
  })
  await session.send('Fetch.enable', { patterns: uncached.map((urlPattern) => ({ urlPattern, requestStage: 'Response' as const })) })
}

/**
 * Opens each page once, as a reader whose browser it is, or as a visitor who has chosen nothing about cookies, and looks at all
 * that must never be wrong: nothing is said in the console or fails to load, nothing jumps, though the fonts come late, nothing
 * moves, text fits at every width, one heading, whole pictures, nobody is shut out, in light and in dark, nothing is kept, and
 * nothing is asked of others.
 */
export async function whole(browser: Browser, width: number, pages: Record<string, string>, reader?: BrowserContext): Promise<void> {
  const context = reader ?? (await browser.newContext(view(width)))
  const foreign: string[] = []
  const origins = new Set(Object.values(pages).map((url) => new URL(url).origin))
  if (!reader) for (const origin of origins) await askForMail(context, { origin }, `walk-${width}-${Date.now()}@example.org`)
  const allowed = [...necessary, ...(await context.cookies()).map(({ name }) => name)]
  context.on('request', (request) => /^(https?|wss?):/.test(request.url()) && !origins.has(new URL(request.url()).origin) && foreign.push(request.url()))
  // One for all: its process has already compiled what the pages share. It asks for pictures anew: none is shown that another
  // width has left there.
  const page = await context.newPage()
  await simulateFirstVisit(page)
  const heard = complaints(page)
  await page.addInitScript(watchMoves)
  const look = async (name: string, url: string) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width, height: 900 })
    const answer = await page.goto(url)
    expect(answer?.status(), name).toBe(name === 'not found' ? 404 : 200)
    await settled(page)
    await page.evaluate(() => document.fonts.ready)
    expect(await count(page, 'h1'), `headings of ${name}`).toBe(1)
    expect(await wide(page), `${name} is wider than the window`).toBeLessThanOrEqual(width)
    // Sheets that overtake each other have the browser take all fonts anew: those that were too late come in and move the text.
    const sent = (await answer?.text())?.match(/<link rel="stylesheet"/g)?.length ?? 0
    expect((await count(page, 'link[rel=stylesheet]')) - sent, `style sheets that come late to ${name}`).toBeLessThanOrEqual(1)
    const { shift, moved } = await page.evaluate(() => (window as unknown as { moves: Moves }).moves)
    expect(shift, `${name} jumps: ${moved.join('\n')}`).toBeLessThanOrEqual(0.01)
    const broken = await page.evaluate(() => [...document.images].filter((i) => i.complete && i.naturalWidth === 0 && i.currentSrc).map((i) => i.currentSrc))
    expect(broken, `pictures of ${name}`).toEqual([])
    expect(await fetchedForNothing(page), `${name} fetches pictures ahead that it does not show`).toEqual([])
    // All rules once a page and language; another width or scheme changes colours and their grounds alone.
    const colours = ['color-contrast', 'link-in-text-block']
    expect(await violations(page, width === 390 ? undefined : colours), name).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, colours), `${name} in the dark`).toEqual([])
    expect(await moving(page), `${name} moves`).toEqual([])
    await scroll(page)
    expect(await moving(page), `${name} moves, scrolled`).toEqual([])
    expect(await kept(page), `what ${name} keeps`).toEqual({ local: [], session: [], databases: [], caches: [], workers: 0 })
    expect((await context.cookies()).map((one) => one.name).filter((one) => !allowed.includes(one)), `cookies of ${name}`).toEqual([])
    expect(foreign, `what ${name} asks of others`).toEqual([])
    if (width === 390) await fits(page, name)
    // The browser itself reports a missing page as a failed resource; that is the answer it should get.
    expect(heard.splice(0).filter((words) => !(name === 'not found' && words.includes('404'))), name).toEqual([])
  }
  // A step each, because the runner goes through all that a test has done outside of one whenever it does something.
  for (const [name, url] of Object.entries(pages)) await test.step(name, () => look(name, url))
  await context.close()
}
