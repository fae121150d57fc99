import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * What shuts somebody out of the page as it is now: the rule, and the parts that break it. Only those are put together, and
 * in the page itself instead of in a second one: most of the time went into what is right.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) })
  const found = (await axe.analyze()).violations
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`)
}

/** Nobody is shut out of the page as it is now, and it is not wider than the window. */
export async function accessible(page: Page, what: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0)) // the way back to the top is no part of what is looked at
  expect(await violations(page), what).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${what} is wider than the window`).toBeLessThanOrEqual(0)
}
