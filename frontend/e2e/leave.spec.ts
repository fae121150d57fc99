import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { editions, mailedCode, must, posts, type Edition } from './paper.ts'

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

/** The code of a mail that came after those with the codes before. */
async function nextCode(request: APIRequestContext, edition: Edition, address: string, ...before: string[]): Promise<string> {
  let code = ''
  await expect.poll(async () => before.includes((code = await mailedCode(request, edition, address))), { timeout: 30_000 }).toBe(false)
  return code
}

/** Signs in by the mailed code, with calls; who is new registers so. */
async function signIn(page: Page, edition: Edition, address: string, ...before: string[]): Promise<string> {
  const post = (path: string, data: unknown) => page.request.post(edition.origin + path, { data, headers: { origin: edition.origin } })
  expect((await post('/fns/user-login', { email: address, referrer: '/', type: 'login' })).ok()).toBe(true)
  const code = await nextCode(page.request, edition, address, ...before)
  const entered = await post('/api/login-code-validation', { email: address, code, referrer: '/', type: 'login' })
  expect(entered.ok(), await entered.text()).toBe(true)
  return code
}

const me = async (page: Page, edition: Edition) => (await (await page.request.get(`${edition.origin}/user/me/`)).json()) as { user_id?: number; comment_name: string }

/** Buys the monthly plan, and takes a discussion name. */
async function subscribe(page: Page, edition: Edition, name: string): Promise<void> {
  await page.goto(`${edition.origin}/account`)
  await page.locator('form[action="/fns/stripe-payment"] button[type=submit]').first().click()
  await page.waitForURL(/\/_dev\/stripe\//)
  await page.locator('input[name="number"], input[name="card"], input[name="card_number"]').first().fill('4242 4242 4242 4242')
  await page.locator('input[name^="exp"]').first().fill('12/34')
  await page.locator('input[name="cvc"]').fill('123')
  await page.locator('button[name=action][value=pay]').click()
  await page.waitForURL(/\/payment\/success/)
  await expect.poll(async () => ((await (await page.request.get(`${edition.origin}/user/me/`)).json()) as { expiration: number }).expiration).toBeGreaterThan(0)
  const named = await page.request.post(`${edition.origin}/fns/user-comment-name`, { data: { comment_name: name }, headers: { origin: edition.origin } })
  expect(named.ok(), await named.text()).toBe(true)
}

for (const scripts of [true, false]) {
  test(`a reader takes everything along and leaves, scripts ${scripts ? 'on' : 'off'}`, async ({ browser, request }) => {
    test.setTimeout(180_000)
    const edition = editions[0]
    const profile = `${edition.origin}/account/profile`
    const stamp = Date.now()
    const address = `leaver-${stamp}@example.org`
    const words = `My own words of ${stamp}.`
    const page = await (await browser.newContext()).newPage()
    const login = await signIn(page, edition, address)
    const first = must((await me(page, edition)).user_id, 'the reader')
    await subscribe(page, edition, `Leaver.${stamp}`)
    const [post] = await posts(request, edition, false)
    const said = await page.request.post(`${edition.origin}/api/discussion/${must(post, 'a post').post_id}`, { data: { text: words, key: 'once' }, headers: { origin: edition.origin } })
    expect(said.ok(), await said.text()).toBe(true)

    const context = await browser.newContext({ javaScriptEnabled: scripts, storageState: await page.context().storageState() })
    const plain = await context.newPage()
    await plain.goto(profile)

    await test.step('the export holds the comment', async () => {
      const [download] = await Promise.all([plain.waitForEvent('download'), plain.locator('form[action="/user/export"] button').click()])
      expect(download.suggestedFilename()).toMatch(/^standard-\d{4}-\d\d-\d\d\.zip$/)
      const archive = readFileSync(await download.path())
      const data = JSON.parse(unzip(archive, 'data.json')) as { tables: { account: { email: string }[]; comments: { text: string }[] } }
      expect(data.tables.account[0]?.email).toBe(address)
      expect(data.tables.comments.map((one) => one.text)).toEqual([words])
      expect(unzip(archive, 'comments.csv')).toContain(words)
    })

    let leaving = ''
    await test.step('a wrong code changes nothing', async () => {
      await plain.locator('form[action="/user/leave/ask"] button').click()
      await plain.waitForURL(/status=EMAIL_SENT/)
      const code = (leaving = await nextCode(request, edition, address, login))
      await plain.locator('form[action="/user/leave"] input[name=code]').fill(code === '123456' ? '654321' : '123456')
      await plain.locator('form[action="/user/leave"] button').click()
      await plain.waitForURL(/status=INVALID_CODE/)
      expect((await me(page, edition)).user_id).toBe(first)
      await plain.goto(profile)
      await plain.locator('form[action="/user/leave"] input[name=code]').fill(code)
    })

    await test.step('the right one signs out everywhere', async () => {
      await plain.locator('form[action="/user/leave"] button').click()
      await plain.waitForURL(/status=ACCOUNT_DELETED/)
      expect((await me(plain, edition)).user_id).toBeUndefined()
      expect((await me(page, edition)).user_id).toBeUndefined()
      await page.goto(profile)
      expect(new URL(page.url()).pathname).toBe('/')
    })

    await test.step('the address registers anew, as another reader', async () => {
      const anew = await (await browser.newContext()).newPage()
      await signIn(anew, edition, address, login, leaving)
      const now = await me(anew, edition)
      expect(now.user_id).toBeGreaterThan(first)
      expect(now.comment_name).toBe('')
    })
  })
}
