import AxeBuilder from '@axe-core/playwright'
import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { complaints, editions, must, posts, type Edition } from '../paper.ts'

interface Mail {
  to: string[]
  text: string
  headers: Record<string, string[]>
}

/** The newest letter to an address that holds a link to a step. */
async function link(request: APIRequestContext, edition: Edition, address: string, step: string): Promise<string> {
  let found = ''
  await expect
    .poll(
      async () => {
        const mails = (await (await request.get(`${edition.origin}/_dev/mail.json`)).json()) as Mail[]
        const text = mails.find((m) => m.to.includes(address) && m.text.includes(step))?.text ?? ''
        found = new RegExp(`https?://\\S*${step}\\S*`).exec(text)?.[0] ?? ''
        return found
      },
      { timeout: 20_000 },
    )
    .not.toBe('')
  return found
}

async function accessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([])
}

/** Goes on by the keyboard until something has the focus, as who has no mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((s) => document.activeElement?.matches(s) === true, selector)) return
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}

const form = (call: string) => `form[action="/fns/newsletters/${call}"]`

for (const edition of editions) {
  test(`${edition.id}: subscribe, confirm, change and leave newsletters by keyboard`, async ({ page, request }) => {
    test.setTimeout(90_000)
    const bad = complaints(page)
    const address = `news-${Date.now()}-${edition.id.replaceAll('_', '-')}@example.org`

    await page.goto(`${edition.origin}/newsletters`, { waitUntil: 'networkidle' })
    await accessible(page, 'choose')
    await expect(page.locator('input[name=lists]:checked')).toHaveCount(0) // consent is given, not taken back
    await tabTo(page, `${form('subscribe')} input[value="breaking"]`)
    await page.keyboard.press('Space')
    await tabTo(page, `${form('subscribe')} input[type=email]`)
    await page.keyboard.type('no address')
    await page.keyboard.press('Enter')
    await expect(page.locator(`${form('subscribe')} [role=alert]`).first()).not.toBeEmpty()
    await expect(page.locator('input[type=email]')).toBeFocused()
    await accessible(page, 'refused')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(address)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/newsletters\/sent$/)
    await accessible(page, 'sent')

    // Scanners look at the link first; the reader's button still works.
    const confirm = await link(request, edition, address, '/newsletters/confirm')
    for (let i = 0; i < 5; i++) await request.get(confirm)
    await page.goto(confirm, { waitUntil: 'networkidle' })
    await expect(page.locator('main li')).toHaveCount(1)
    await expect(page.locator('main')).not.toContainText(address)
    await accessible(page, 'confirm')
    await tabTo(page, `${form('confirm')} button`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/newsletters\/settings\?token=/)
    await expect(page.getByRole('status').filter({ hasText: /./ }).first()).toBeVisible()
    await expect(page.locator('input[name=lists]:checked')).toHaveCount(1)
    await accessible(page, 'settings')

    await tabTo(page, `${form('settings')} input[value="topic"]`)
    await page.keyboard.press('Space')
    await tabTo(page, `${form('settings')} button`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/saved=1/)
    await expect(page.locator('input[name=lists]:checked')).toHaveCount(2)
    expect(bad).toEqual([])
  })
}

test('a letter comes to who has no scripts, and one click leaves its list', async ({ page, request, browser }) => {
  test.setTimeout(120_000)
  const edition = editions[0]
  const address = `letter-${Date.now()}@example.org`
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const quiet = await plain.newPage()
  await quiet.goto(`${edition.origin}/newsletters`)
  await quiet.locator('label[for=list-breaking]').click()
  await quiet.locator('input[type=email]').fill(address)
  await quiet.locator(`${form('subscribe')} button`).click()
  await expect(quiet).toHaveURL(/\/newsletters\/sent$/)
  await quiet.goto(await link(request, edition, address, '/newsletters/confirm'))
  await quiet.locator(`${form('confirm')} button`).click()
  await expect(quiet.locator('input[name=lists]:checked')).toHaveCount(1)
  await plain.close()

  let sent = false
  for (const post of await posts(request, edition, true)) {
    sent ||= (await request.post(`${edition.origin}/_dev/newsletter`, { data: { list: 'breaking', post: post.post_id } })).ok()
    if (sent) break
  }
  expect(sent, 'a post that was not sent before').toBe(true)
  const leave = await link(request, edition, address, '/fns/newsletters/leave')
  const mails = (await (await request.get(`${edition.origin}/_dev/mail.json`)).json()) as Mail[]
  const letter = must(mails.find((m) => m.to.includes(address) && m.text.includes(leave)), 'the letter')
  expect(letter.headers['List-Unsubscribe']).toEqual([`<${leave}>`])
  expect(letter.headers['List-Unsubscribe-Post']).toEqual(['List-Unsubscribe=One-Click'])

  await request.get(leave)
  await page.goto(leave, { waitUntil: 'networkidle' })
  const button = page.locator(`${form('leave')} button`)
  await expect(button).toBeVisible()
  await accessible(page, 'leave')
  // What the button of a mailbox sends.
  const answer = await request.post(leave, { form: { 'List-Unsubscribe': 'One-Click' } })
  expect(answer.status()).toBe(200)
  await page.reload()
  await expect(button).toHaveCount(0)
  await accessible(page, 'left')
})
