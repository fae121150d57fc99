import { expect, test, type Page } from '@playwright/test'
import { violations } from '../axe.ts'
import { complaints, editions, must, settled } from '../paper.ts'
import { pageData } from './lists.ts'

interface Front {
  videos: { id: number; title: string; url: string; locked: boolean; video?: { kind: string; src: string } }[]
}

const row = (page: Page) => page.locator('[data-scroller]:has([class*=length])')
const dialog = (page: Page) => page.getByRole('dialog')

for (const edition of editions) {
  test(`${edition.id}: a video plays over the page, by keyboard, and gives the focus back`, async ({ page }) => {
    const heard = complaints(page)
    const outside: string[] = []
    page.on('request', (request) => new URL(request.url()).origin !== edition.origin && request.url().startsWith('http') && outside.push(request.url()))
    const { videos } = await pageData<Front>(page, edition, '/')
    const playable = videos.filter(({ video, locked }) => video && !locked)
    const first = must(playable.find(({ video }) => video?.kind === 'file'), 'a video of our own')

    await page.goto(`${edition.origin}/`)
    await settled(page)
    const link = row(page).locator(`a[href="${first.url}"]`).first()
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    await expect(dialog(page).locator('video')).toHaveAttribute('src', must(first.video, 'its video').src)
    expect(new URL(page.url()).searchParams.get('video-komentar')).toBe(String(first.id))
    expect(await violations(page)).toEqual([])

    if (playable.length > 1) {
      const backwards = playable[0] !== first
      await page.keyboard.press(backwards ? 'ArrowLeft' : 'ArrowRight')
      const neighbour = must(playable[playable.indexOf(first) + (backwards ? -1 : 1)], 'a neighbour')
      await expect(dialog(page).locator('h2')).toHaveText(neighbour.title)
    }
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(link).toBeFocused()
    expect(new URL(page.url()).search).toBe('')
    expect(outside).toEqual([])
    expect(heard).toEqual([])
  })

  test(`${edition.id}: an address that names a video opens it, and going back leaves it`, async ({ page }) => {
    const { videos } = await pageData<Front>(page, edition, '/')
    const first = must(videos.find(({ video, locked }) => video && !locked), 'a video')
    await page.goto(`${edition.origin}/?video-komentar=${first.id}`)
    await expect(dialog(page).locator('h2')).toHaveText(first.title)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)

    await row(page).locator(`a[href="${first.url}"]`).first().click()
    await expect(dialog(page)).toBeVisible()
    await page.goBack()
    await expect(dialog(page)).toHaveCount(0)
  })

  test(`${edition.id}: without scripts a video is a link to its article`, async ({ browser, page }) => {
    const { videos } = await pageData<Front>(page, edition, '/')
    const first = must(videos[0], 'a video')
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${edition.origin}/`)
    await plain.locator(`[data-scroller] a[href="${first.url}"]`).first().click()
    await expect(plain.locator('h1')).toHaveText(first.title)
    await context.close()
  })
}
