import { expect, type Locator, type Page } from '@playwright/test'

type Way = 'Tab' | 'Shift+Tab'

/** Goes on by Tab until something has the focus, as who has no mouse does; fails where a whole page of stops does not lead to it. */
export async function tabTo(page: Page, target: Locator, way: Way = 'Tab', most = 300): Promise<void> {
  for (let stop = 0; stop < most; stop++) {
    if (await target.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press(way)
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
