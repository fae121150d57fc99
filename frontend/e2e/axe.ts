import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import { expect, type Page } from '@playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// One character outside ASCII would make the browser store every character in two bytes.
const ascii = source.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
const script = `${ascii}; axe.configure({ allowedOrigins: ['<same_origin>'] })`

const scripted = new WeakSet<Page>()

/**
 * Loads axe into the frames of the page that lack it, and into every document that the page loads later: sending its half a
 * megabyte to the browser costs more than running it, and more than many of its rules.
 */
async function inject(page: Page): Promise<void> {
  if (!scripted.has(page)) await page.addInitScript(script)
  scripted.add(page)
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => 'axe' in window)) continue
    await frame.evaluate(script)
  }
}

/**
 * What shuts somebody out of the page as it is now: the rule, and the parts that break it. Only those are put together, and
 * in the page itself instead of in a second one: most of the time went into what is right.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  await inject(page)
  return page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> } }
      const { violations } = await axe.run(document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`)
    },
    { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) } satisfies RunOptions,
  )
}

/** Nobody is shut out of the page as it is now, and it is not wider than the window. */
export async function accessible(page: Page, what: string): Promise<void> {
  // The way back to the top is no part of what is looked at; it is gone a frame after the page is at its top.
  await page.evaluate(
    () =>
      new Promise((done) => {
        window.scrollTo(0, 0)
        requestAnimationFrame(() => requestAnimationFrame(done))
      }),
  )
  expect(await violations(page), what).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${what} is wider than the window`).toBeLessThanOrEqual(0)
}
