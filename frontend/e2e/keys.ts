import { expect, type Locator, type Page } from '@playwright/test'
import { must } from './paper.ts'

type Way = 'Tab' | 'Shift+Tab'

/** Goes on by Tab until something has the focus, as who has no mouse does; fails where a whole page of stops does not lead to it. */
export async function tabTo(page: Page, target: Locator, way: Way = 'Tab', most = 300): Promise<void> {
  // Resolving the locator after every key would take three times as long as the key itself.
  let element = must(await target.elementHandle(), String(target))
  for (let stop = 0; stop < most; stop++) {
    const { focused, replaced } = await element
      .evaluate((one) => ({ focused: one === document.activeElement, replaced: !one.isConnected }))
      .catch(() => ({ focused: false, replaced: true })) // the page was left
    if (focused) return
    if (replaced) element = must(await target.elementHandle(), String(target))
    else await page.keyboard.press(way)
  }
  throw new Error(`${most} times ${way} do not lead to ${String(target)}`)
}

/** Goes there by Tab alone, and presses a key. */
export async function press(page: Page, target: Locator, key = 'Enter', way: Way = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  await expect(target).toBeEnabled()
  await tabTo(page, target, way)
  await page.keyboard.press(key)
}

/** Goes to a field by Tab alone, and types over what is there. */
export async function write(page: Page, target: Locator, text: string): Promise<void> {
  await expect(target).toBeEditable()
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
  await expect(target).toHaveValue(text)
}
