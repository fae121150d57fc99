import { expect, test } from '@playwright/test'
import { createWallClock, type WallClock } from '../src/i18n/wall-clock.ts'
import { complaints, editions, settled } from './paper.ts'

const zones = ['Europe/Bratislava', 'Europe/Vienna', 'Europe/Zurich', 'Europe/London', 'Europe/Chisinau', 'Europe/Istanbul', 'Atlantic/Azores', 'UTC']

/** A millisecond before each half hour of days on which clocks change, and of the last day of a year. */
const instants = ['1996-03-31', '1996-10-27', '2026-03-29', '2026-10-25', '2026-12-31'].flatMap((day) =>
  Array.from({ length: 49 }, (_, half) => Date.parse(`${day}T00:00:00Z`) + half * 1_800_000 - 1),
)

test('every browser shows the time of an edition, with Temporal and without', async ({ page }) => {
  await page.goto(`${editions[0].origin}/robots.txt`)
  const shown = (without: boolean) =>
    page.evaluate(
      ({ source, zones, instants, without }) => {
        if (without) Reflect.deleteProperty(globalThis, 'Temporal')
        const create = eval(`(${source})`) as typeof createWallClock
        return zones.map((zone) => instants.map(create(zone)).map(({ year, month, day, hour, minute }: WallClock) => [year, month, day, hour, minute].join(' ')))
      },
      { source: createWallClock.toString(), zones, instants, without },
    )
  expect(await page.evaluate(() => 'Temporal' in globalThis), 'this browser has Temporal').toBe(true)
  const first = await shown(false)
  expect(first).toEqual(await shown(true))
  expect(first[0]?.[instants.indexOf(Date.parse('2026-03-29T01:00:00Z') - 1)]).toBe('2026 3 29 1 59')
  expect(first[0]?.[instants.indexOf(Date.parse('2026-03-29T01:30:00Z') - 1)]).toBe('2026 3 29 3 29')
})

test('a browser without Temporal hydrates the page without an error', async ({ browser }) => {
  const context = await browser.newContext()
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'Temporal'))
  const page = await context.newPage()
  const heard = complaints(page)
  await page.goto(`${editions[1].origin}/`)
  await settled(page)
  expect(await page.evaluate(() => 'Temporal' in globalThis)).toBe(false)
  expect(await page.locator('time').count()).toBeGreaterThan(5)
  expect(heard).toEqual([])
  await context.close()
})
