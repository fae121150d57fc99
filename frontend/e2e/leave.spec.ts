import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { press, write } from './keys.ts'
import { editions, languages, must, posts } from './paper.ts'
import { addressOf, answer, call, enter, me, nextCode, subscribe } from './reader.ts'
import { wordsOf } from './words.ts'

/** The text of a file in a zip archive, found by the archive's directory. */
function unzip(archive: Buffer, name: string): string {
  let at = archive.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
  for (; at >= 0 && archive.readUInt32LE(at) === 0x02014b50; ) {
    const [size, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    const skip = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    const start = archive.readUInt32LE(at + 42)
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
      return inflateRawSync(archive.subarray(data, data + size)).toString('utf8')
    }
    at += 46 + nameLength + skip
  }
  throw new Error(`${name} is not in the archive`)
}

/** How a reader does it: by keyboard, or with a pointer where there are no scripts. */
interface Hand {
  press: (page: Page, target: Locator) => Promise<void>
  write: (page: Page, target: Locator, text: string) => Promise<void>
}
const keys: Hand = { press, write }
const pointer: Hand = { press: (_, target) => target.click(), write: (_, target, text) => target.fill(text) }

const ways = [...languages.map((edition) => ({ edition, scripts: true, how: 'by keyboard', hand: keys })), { edition: editions[2], scripts: false, how: 'without scripts', hand: pointer }]

for (const { edition, scripts, how, hand } of ways) {
  test(`${edition.id}: a reader takes everything along and leaves, ${how}`, async ({ browser, request }) => {
    test.setTimeout(180_000)
    const t = wordsOf(edition)
    const profile = `${edition.origin}/account/profile`
    const stamp = Date.now()
    const address = addressOf(edition, 'leaver')
    const words = `My own words of ${stamp}.`
    const asked = await browser.newContext()
    const login = await enter(asked, edition, address)
    await answer(asked, edition)
    const first = must((await me(asked, edition)).user_id, 'the reader')
    await subscribe(asked, edition)
    await call(asked, edition, '/fns/user-comment-name', { comment_name: `Leaver.${stamp}` })
    const [post] = await posts(request, edition, false)
    await call(asked, edition, `/api/discussion/${must(post, 'a post').post_id}`, { text: words, key: 'once' })

    const context = await browser.newContext({ javaScriptEnabled: scripts, storageState: await asked.storageState() })
    const page = await context.newPage()
    const button = (id: string) => page.getByRole('button', { name: t(`profilePage.${id}`), exact: true })
    const code = page.getByLabel(t('profilePage.leave.code'))
    await page.goto(profile)

    await test.step('the export holds the comment', async () => {
      await expect(page.getByText(t('profilePage.export.text'))).toBeVisible()
      const [download] = await Promise.all([page.waitForEvent('download'), hand.press(page, button('export.submit'))])
      expect(download.suggestedFilename()).toMatch(new RegExp(`^${edition.id}-\\d{4}-\\d\\d-\\d\\d\\.zip$`))
      const archive = readFileSync(await download.path())
      const data = JSON.parse(unzip(archive, 'data.json')) as { tables: { account: { email: string }[]; comments: { text: string }[] } }
      expect(data.tables.account[0]?.email).toBe(address)
      expect(data.tables.comments.map((one) => one.text)).toEqual([words])
      expect(unzip(archive, 'comments.csv')).toContain(words)
    })

    let leaving = ''
    await test.step('a wrong code changes nothing', async () => {
      await expect(page.getByText(t('profilePage.leave.comments'))).toBeVisible()
      await hand.press(page, button('leave.ask'))
      await page.waitForURL(/status=EMAIL_SENT/)
      leaving = await nextCode(request, edition, address, login)
      await hand.write(page, code, leaving === '123456' ? '654321' : '123456')
      await hand.press(page, button('leave.submit'))
      await page.waitForURL(/status=INVALID_CODE/)
      await expect(page.getByText(t('status.INVALID_CODE'))).toBeVisible()
      expect((await me(asked, edition)).user_id).toBe(first)
    })

    await test.step('the right one signs out everywhere', async () => {
      await page.goto(profile)
      await hand.write(page, code, leaving)
      await hand.press(page, button('leave.submit'))
      await page.waitForURL(/status=ACCOUNT_DELETED/)
      await expect(page.getByText(t('status.ACCOUNT_DELETED'))).toBeVisible()
      expect((await me(context, edition)).user_id).toBeUndefined()
      expect((await me(asked, edition)).user_id).toBeUndefined()
      await page.goto(profile)
      expect(new URL(page.url()).pathname).toBe('/account/login')
    })

    await test.step('the address registers anew, as another reader', async () => {
      const anew = await browser.newContext()
      await enter(anew, edition, address)
      const now = await me(anew, edition)
      expect(now.user_id).toBeGreaterThan(first)
      expect(now.comment_name).toBe('')
    })
  })
}
