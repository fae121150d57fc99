import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { accessible } from '../axe.ts'
import { briefName, command, withBrief } from '../command.ts'
import { press, tabTo, write } from '../keys.ts'
import { complaints, editions, languages, must, posts, settled } from '../paper.ts'
import { addressOf, letter } from '../reader.ts'
import { wordsOf } from '../words.ts'

const form = (call: string) => `form[action="/fns/newsletters/${call}"]`

for (const edition of languages) {
  test(`${edition.id}: the brief is subscribed to, confirmed, comes, and is left by one click, by keyboard`, async ({ page, request }) => {
    test.setTimeout(120_000)
    const t = wordsOf(edition)
    const bad = complaints(page)
    const address = addressOf(edition, 'news')
    const heading = page.getByRole('heading', { level: 1 })
    const button = (words: string) => page.locator('main').getByRole('button', { name: t(words), exact: true })
    const list = (id: string) => page.locator(`input[name=lists][value="${id}"]`)
    const brief = must(process.env.E2E_BRIEF, 'the brief')

    await test.step('nothing is chosen for the reader, and no address is refused', async () => {
      await page.goto(`${edition.origin}/newsletters`)
      await settled(page)
      await expect(heading).toHaveText(t('newsletter.title'))
      await accessible(page, 'choose')
      await expect(page.locator('input[name=lists]:checked')).toHaveCount(0) // consent is given, not taken back
      await press(page, page.getByRole('checkbox', { name: briefName(edition) }), 'Space')
      const field = page.getByLabel(t('newsletter.email'))
      await write(page, field, 'no address')
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('status.INVALID_EMAIL'))).toBeVisible()
      await expect(field).toBeFocused()
      await accessible(page, 'refused')
      await write(page, field, address)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/newsletters\/sent$/)
      await expect(heading).toHaveText(t('newsletter.sent.title'))
      await accessible(page, 'sent')
    })

    await test.step('scanners look at the link first, and the reader’s button still works', async () => {
      const { link } = await letter(request, edition, address, '/newsletters/confirm')
      for (let i = 0; i < 5; i++) await request.get(link)
      await page.goto(link)
      await settled(page)
      await expect(page.locator('main li')).toHaveCount(1)
      await expect(page.locator('main')).not.toContainText(address)
      await accessible(page, 'confirm')
      await press(page, button('newsletter.confirm.submit'))
      await page.waitForURL(/\/newsletters\/settings\?token=/)
      await expect(page.getByText(t('newsletter.confirmed'))).toBeVisible()
      await expect(list(brief)).toBeChecked()
      await expect(page.locator('input[name=lists]:checked')).toHaveCount(1)
      await accessible(page, 'settings')
    })

    await test.step('another list is added', async () => {
      await settled(page)
      await tabTo(page, list('topic'))
      await page.keyboard.press('Space')
      await press(page, button('newsletter.settings.submit'))
      await page.waitForURL(/saved=1/)
      await expect(page.getByText(t('newsletter.saved'))).toBeVisible()
      await expect(page.locator('input[name=lists]:checked')).toHaveCount(2)
    })

    await test.step('the brief comes at its hour, and one click leaves it', async () => {
      // Who subscribes after the hour gets the next one: it is one minute ahead, and then the paper's clock is.
      const { now } = (await (await request.get(`${edition.origin}/_dev/clock`)).json()) as { now: string }
      const { text, hour } = withBrief(edition, new Date(Date.parse(now) + 60_000))
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'brief-')), `${edition.id}.yaml`)
      writeFileSync(file, text)
      command('edition', 'apply', file)
      await expect.poll(async () => (await request.get(`${edition.origin}/newsletters`)).text()).toContain(hour)
      expect((await request.post(`${edition.origin}/_dev/clock`, { data: { advance: '60s' } })).ok()).toBe(true)
      const { mail, link } = await letter(request, edition, address, '/fns/newsletters/leave')
      expect(mail.headers['List-Unsubscribe']).toEqual([`<${link}>`])
      expect(mail.headers['List-Unsubscribe-Post']).toEqual(['List-Unsubscribe=One-Click'])
      await request.get(link)
      await page.goto(link)
      await settled(page)
      await expect(heading).toHaveText(t('newsletter.leave.title'))
      await expect(page.locator('main')).toContainText(briefName(edition))
      await accessible(page, 'leave')
      await press(page, button('newsletter.leave.submit'))
      await expect(heading).toHaveText(t('newsletter.left.title'))
      await accessible(page, 'left')

      const settings = mail.text.match(/https?:\/\/\S*\/newsletters\/settings\S*/)?.[0]
      await page.goto(must(settings, 'the link to the settings'))
      await expect(list('topic')).toBeChecked()
      await expect(list(brief)).not.toBeChecked()
    })
    expect(bad).toEqual([])
  })
}

test('a letter comes to who has no scripts, and one click leaves its list', async ({ page, request, browser }) => {
  test.setTimeout(120_000)
  const edition = editions[0]
  const address = addressOf(edition, 'letter')
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const quiet = await plain.newPage()
  await quiet.goto(`${edition.origin}/newsletters`)
  await quiet.locator('label[for=list-breaking]').click()
  await quiet.locator('input[type=email]').fill(address)
  await quiet.locator(`${form('subscribe')} button`).click()
  await expect(quiet).toHaveURL(/\/newsletters\/sent$/)
  await quiet.goto((await letter(request, edition, address, '/newsletters/confirm')).link)
  await quiet.locator(`${form('confirm')} button`).click()
  await expect(quiet.locator('input[name=lists]:checked')).toHaveCount(1)
  await plain.close()

  let sent = false
  for (const post of await posts(request, edition, true)) {
    sent ||= (await request.post(`${edition.origin}/_dev/newsletter`, { data: { list: 'breaking', post: post.post_id } })).ok()
    if (sent) break
  }
  expect(sent, 'a post that was not sent before').toBe(true)
  const { mail, link: leave } = await letter(request, edition, address, '/fns/newsletters/leave')
  expect(mail.headers['List-Unsubscribe']).toEqual([`<${leave}>`])
  expect(mail.headers['List-Unsubscribe-Post']).toEqual(['List-Unsubscribe=One-Click'])

  await request.get(leave)
  await page.goto(leave)
  await settled(page)
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
