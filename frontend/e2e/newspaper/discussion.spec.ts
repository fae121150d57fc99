import { expect, test, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { accessible } from '../axe.ts'
import { command } from '../command.ts'
import { press, write } from '../keys.ts'
import { complaints, editions, hydrated, languages, must, posts, type Edition } from '../paper.ts'
import { enter, register, subscribe } from '../reader.ts'
import { wordsOf } from '../words.ts'

const suffix = { standard: '', standard_at: '-at', standard_com: '-ch', english: '-en' } as const
const addressOf = (edition: Edition & { id: keyof typeof suffix }, id: number) => `${edition.origin}/discussion/comment-${id}${suffix[edition.id]}`

/** A reader who has subscribed, in a browser of their own. */
async function subscriber(browser: Browser, edition: Edition, name: string, javaScriptEnabled = true): Promise<{ page: Page; email: string; context: BrowserContext }> {
  const context = await browser.newContext({ javaScriptEnabled })
  const email = await register(context, edition, name)
  await subscribe(context, edition)
  return { page: await context.newPage(), email, context }
}

for (const edition of languages) {
  test(`${edition.id}: a discussion by keyboard`, async ({ browser, request }) => {
    test.setTimeout(180_000)
    const t = wordsOf(edition)
    const post = must((await posts(request, edition))[0], 'a post')
    const address = addressOf(edition, post.post_id)
    const anna = await subscriber(browser, edition, 'anna')
    const boris = await subscriber(browser, edition, 'boris')
    const bad = [complaints(anna.page), complaints(boris.page)]
    const run = Date.now()
    const mark = `${edition.id} ${run}`
    const names = { anna: `Anna.${run}`, boris: `Boris.${run}` }
    const button = (page: Page, words: string) => page.getByRole('button', { name: t(words), exact: true })
    /** What can be done about a comment says whose it is. */
    const about = (comment: Locator, words: string, name: string) => comment.getByRole('link', { name: t('discussion.doTo', { what: t(words), name }) })

    await test.step('a visitor reads, and is led to log in', async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(address)
      await expect(page.getByText(t('discussion.login'))).toBeVisible()
      await expect(page.getByRole('link', { name: t('discussion.loginLink') })).toHaveAttribute('href', /\/account\/login\?referrer=/)
      await expect(page.getByRole('textbox')).toHaveCount(0)
      await accessible(page, 'visitor')
      await context.close()
    })

    const field = (page: Page) => page.getByLabel(t('discussion.name'))
    const own = (page: Page) => page.getByLabel(t('discussion.writeLabel'))
    await test.step('a name that is none, one that is taken, and a good one', async () => {
      await boris.page.goto(address)
      await hydrated(boris.page)
      await write(boris.page, field(boris.page), names.boris)
      await press(boris.page, button(boris.page, 'discussion.nameSave'))
      await expect(own(boris.page)).toBeVisible()
      await anna.page.goto(address)
      await hydrated(anna.page)
      for (const [wrong, says] of [['Anna!', 'status.INVALID_COMMENT_NAME'], [names.boris.toUpperCase(), 'status.COMMENT_NAME_EXISTS']] as const) {
        await write(anna.page, field(anna.page), wrong)
        await anna.page.keyboard.press('Enter')
        await expect(anna.page.getByText(t(says))).toBeVisible()
        await expect(field(anna.page)).toHaveValue(wrong)
      }
      await accessible(anna.page, 'a name that is taken')
      await write(anna.page, field(anna.page), names.anna)
      await anna.page.keyboard.press('Enter')
      await expect(own(anna.page)).toBeVisible()
    })

    const said = anna.page.getByRole('article').filter({ hasText: mark })
    const heard = boris.page.getByRole('article').filter({ hasText: mark })
    await test.step('what one writes, the other sees without a reload', async () => {
      await boris.page.reload()
      await hydrated(boris.page)
      await write(anna.page, own(anna.page), `${mark} <img src=x onerror=alert(1)> https://example.org/a?b=1.`)
      await press(anna.page, button(anna.page, 'discussion.send'))
      await expect(said).toBeFocused()
      await expect(said.locator('img')).toHaveCount(0)
      await expect(said.getByRole('link', { name: 'https://example.org/a?b=1' })).toHaveAttribute('rel', /nofollow/)
      await expect(own(anna.page)).toHaveValue('')
      await expect(heard).toBeVisible({ timeout: 15_000 })
    })

    await test.step('an answer, an edit, a like and a report', async () => {
      await press(boris.page, about(heard, 'discussion.reply', names.anna))
      const reply = boris.page.getByLabel(t('discussion.replyLabel'))
      await expect(reply).toBeFocused()
      await write(boris.page, reply, `Answer to ${run}`)
      await press(boris.page, button(boris.page, 'discussion.sendReply'))
      const answer = (page: Page) => page.getByRole('article').filter({ hasText: `Answer to ${run}` })
      await expect(answer(boris.page)).toBeFocused()
      await expect(answer(anna.page)).toBeVisible({ timeout: 15_000 })

      await press(anna.page, about(said, 'discussion.change', names.anna))
      const text = anna.page.getByLabel(t('discussion.editLabel'))
      await expect(text).toBeFocused()
      await accessible(anna.page, 'edit')
      await write(anna.page, text, `${mark} changed`)
      await press(anna.page, button(anna.page, 'discussion.save'))
      await expect(said.first()).toContainText('changed')

      await expect(heard.first()).toContainText('changed', { timeout: 15_000 })
      const like = heard.getByRole('button', { name: t('discussion.like') })
      await press(boris.page, like, 'Space')
      await expect(like).toHaveAttribute('aria-pressed', 'true')
      await press(boris.page, about(heard, 'discussion.report', names.anna))
      const reasons = boris.page.getByRole('group', { name: t('discussion.reportAsk') }).getByRole('radio')
      await expect(reasons.first()).toBeFocused()
      await boris.page.keyboard.press('ArrowDown')
      await expect(reasons.nth(1)).toBeChecked()
      await accessible(boris.page, 'report')
      await press(boris.page, button(boris.page, 'discussion.reportSend'))
      await expect(heard.first()).toContainText(t('discussion.reported'))
    })

    await test.step('a moderator hides, restores and bans', async () => {
      expect(command('discussion', 'moderator', boris.email, '--edition', edition.id, '--dry-run')).toContain('dry run')
      expect(command('discussion', 'moderator', boris.email, '--edition', edition.id)).toContain('is a moderator now')
      // Who has got hold of a reader's session must not become a moderator with it: all of them have ended.
      await enter(boris.context, edition, boris.email)
      await boris.page.goto(address)
      await hydrated(boris.page)
      const moderate = () => press(boris.page, about(heard, 'discussion.moderate', names.anna))
      await moderate()
      await accessible(boris.page, 'moderate')
      await press(boris.page, button(boris.page, 'discussion.hide'))
      await expect(heard.first()).toContainText(t('discussion.hidden'))
      await expect(said).toHaveCount(0, { timeout: 15_000 })
      await moderate()
      await press(boris.page, button(boris.page, 'discussion.restore'))
      await expect(said.first()).toBeVisible({ timeout: 15_000 })
      await moderate()
      const why = boris.page.getByLabel(t('discussion.banWhy'))
      await write(boris.page, why, 'Skúška')
      await press(boris.page, button(boris.page, 'discussion.ban'))
      await expect(why).toHaveCount(0)
      await anna.page.reload()
      await expect(anna.page.getByText(t('discussion.bannedWhy', { reason: 'Skúška' }))).toBeVisible()
      await expect(own(anna.page)).toHaveCount(0)
      await accessible(anna.page, 'banned')
      expect(command('discussion', 'unban', anna.email, '--edition', edition.id)).toContain('may write again')
    })

    await test.step('below its article the discussion is as high as it is long', async () => {
      await boris.page.goto(edition.origin + new URL(post.post_url, edition.origin).pathname)
      const frame = boris.page.locator('iframe#discussion')
      // The reader comes from above: the frame grows as long as its end is below the window.
      await frame.evaluate((one) => window.scrollBy(0, one.getBoundingClientRect().top - window.innerHeight + 100))
      const inside = boris.page.frameLocator('iframe#discussion')
      await expect(inside.getByText(`${mark} changed`)).toBeVisible()
      await expect
        .poll(async () => ((await frame.boundingBox())?.height ?? 0) - (await inside.locator('main').evaluate((main) => main.scrollHeight)), { timeout: 15_000 })
        .toBeGreaterThanOrEqual(0)
      await accessible(boris.page, 'below its article')
    })
    // What a refused name answers is an answer, which browsers note as an error.
    expect(bad.flat().filter((line) => !/status of 4(09|22)/.test(line))).toEqual([])
    await anna.context.close()
    await boris.context.close()
  })
}

test('without scripts: a name, a comment that is too long and is not lost, a reply, a like', async ({ browser, request }) => {
  test.setTimeout(120_000)
  const edition = editions[2]
  const t = wordsOf(edition)
  const [post] = await posts(request, edition, false)
  const address = addressOf(edition, must(post, 'a post').post_id)
  const { page, context } = await subscriber(browser, edition, 'clara', false)
  await page.goto(address)
  await page.getByLabel(t('discussion.name')).fill('Clára!')
  await page.getByRole('button', { name: t('discussion.nameSave') }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await page.getByLabel(t('discussion.name')).fill(`Clára.${Date.now()}`)
  await page.getByRole('button', { name: t('discussion.nameSave') }).click()
  const text = `Ohne Skripte ${Date.now()} www.a.example www.b.example www.c.example`
  await page.getByLabel(t('discussion.writeLabel')).fill(text)
  await page.getByRole('button', { name: t('discussion.send') }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expect(page.getByLabel(t('discussion.writeLabel'))).toHaveValue(text)
  await page.getByLabel(t('discussion.writeLabel')).fill(text.replace(' www.c.example', ''))
  await page.getByRole('button', { name: t('discussion.send') }).click()
  const comment = page.getByRole('article').filter({ hasText: text.split(' ')[2] ?? '' })
  await expect(comment).toHaveCount(1)
  await page.reload()
  await expect(comment).toHaveCount(1)
  await comment.getByRole('link', { name: t('discussion.reply') }).click()
  await page.getByLabel(t('discussion.replyLabel')).fill(`Und noch: Ohne Skripte ${text.split(' ')[2]}`)
  await page.getByRole('button', { name: t('discussion.sendReply') }).click()
  await expect(page.getByRole('article').filter({ hasText: `Und noch: Ohne Skripte ${text.split(' ')[2]}` })).toBeVisible()
  await expect(page.getByLabel(t('discussion.replyLabel'))).toHaveCount(0)
  await context.close()
})
