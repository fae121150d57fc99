import { execFileSync } from 'node:child_process'
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type APIRequestContext, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { complaints, editions, mailedCode, must, posts, type Edition } from '../paper.ts'

const words = {
  'sk-SK': { name: 'Pod akým menom chcete písať?', save: 'Uložiť meno', yours: 'Váš komentár', send: 'Odoslať komentár', reply: 'Odpovedať', answer: 'Vaša odpoveď', change: 'Upraviť alebo zmazať', text: 'Text komentára', keep: 'Uložiť', like: 'Páči sa mi', report: 'Nahlásiť', reported: 'Nahlásené', moderate: 'Moderovať', hide: 'Skryť komentár', restore: 'Zobraziť znova', ban: 'Zakázať písanie', why: 'Dôvod zákazu', banned: 'nemôžete do diskusie písať', hidden: 'Skryté moderátorom', login: 'Prihlásiť sa', sendReport: 'Odoslať hlásenie' },
  de: { name: 'Unter welchem Namen möchten Sie schreiben?', save: 'Namen speichern', yours: 'Ihr Kommentar', send: 'Kommentar senden', reply: 'Antworten', answer: 'Ihre Antwort', change: 'Bearbeiten oder löschen', text: 'Text des Kommentars', keep: 'Speichern', like: 'Gefällt mir', report: 'Melden', reported: 'Gemeldet', moderate: 'Moderieren', hide: 'Kommentar ausblenden', restore: 'Wieder anzeigen', ban: 'Schreiben sperren', why: 'Grund der Sperre', banned: 'können Sie nicht in der Diskussion schreiben', hidden: 'Von der Moderation ausgeblendet', login: 'Anmelden', sendReport: 'Meldung senden' },
}
const wordsOf = (edition: Edition) => (edition.lang === 'sk-SK' ? words['sk-SK'] : words.de)

const suffix: Record<string, string> = { standard: '', standard_at: '-at', standard_com: '-ch' }
const addressOf = (edition: Edition, id: number) => `${edition.origin}/discussion/comment-${id}${suffix[edition.id]}`

/** A reader who has subscribed, in a browser of their own. */
async function subscriber(browser: Browser, request: APIRequestContext, edition: Edition, name: string, javaScriptEnabled = true): Promise<{ page: Page; email: string; context: BrowserContext }> {
  const email = `${name}-${Date.now()}-${edition.id.replaceAll('_', '-')}@example.org`
  const context = await browser.newContext({ javaScriptEnabled })
  const headers = { origin: edition.origin }
  const asked = await context.request.post(`${edition.origin}/fns/user-login`, { headers, data: { type: 'registration', payload: { email, referrer: '/' } } })
  expect(asked.ok()).toBe(true)
  const code = await mailedCode(request, edition, email)
  const entered = await context.request.post(`${edition.origin}/api/login-code-validation`, { headers, data: { email, code, type: 'registration' } })
  expect(entered.ok()).toBe(true)
  const page = await context.newPage()
  const order = await context.request.post(`${edition.origin}/fns/stripe-payment`, { headers, data: { product_type: 'product_monthly', payment_method: 'card', referrer: '/' } })
  await page.goto(((await order.json()) as { data: { redirect: string } }).data.redirect)
  await page.locator('input[name="number"], input[name="card"], input[name="card_number"]').first().fill('4242 4242 4242 4242')
  await page.locator('input[name^="exp"]').first().fill('12/34')
  await page.locator('input[name="cvc"]').fill('123')
  await page.locator('button[name=action][value=pay]').click()
  await page.waitForURL(/\/payment\/success/)
  await expect.poll(async () => ((await (await context.request.get(`${edition.origin}/user/me/`)).json()) as { expiration: number }).expiration, { timeout: 20_000 }).toBeGreaterThan(0)
  return { page, email, context }
}

/** Runs the paper's own command on the paper that is tested. */
const command = (...args: string[]) => execFileSync(process.env.E2E_BIN ?? '../bin/broadsheet', [...args, '--data', must(process.env.E2E_DATA, 'E2E_DATA')], { encoding: 'utf8' })

async function press(page: Page, what: ReturnType<Page['locator']>) {
  await what.focus()
  await expect(what).toBeFocused()
  await page.keyboard.press('Enter')
}

async function accessible(page: Page) {
  const found = await new AxeBuilder({ page }).analyze()
  expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`)).toEqual([])
}

for (const edition of editions) {
  test(`${edition.id}: a discussion by keyboard`, async ({ browser, request }) => {
    test.setTimeout(180_000)
    const w = wordsOf(edition)
    const [post] = await posts(request, edition, true)
    const id = must(post, 'a locked post').post_id
    const address = addressOf(edition, id)
    const anna = await subscriber(browser, request, edition, 'anna')
    const boris = await subscriber(browser, request, edition, 'boris')
    const bad = [complaints(anna.page), complaints(boris.page)]
    const mark = `${edition.id} ${Date.now()}`
    const names = { anna: `Anna.${Date.now()}`, boris: `Boris.${Date.now()}` }

    await test.step('a visitor reads, and is led to log in', async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(address)
      await expect(page.getByRole('link', { name: w.login })).toHaveAttribute('href', /\/account\/login\?referrer=/)
      await expect(page.getByRole('textbox')).toHaveCount(0)
      await accessible(page)
      await context.close()
    })

    await test.step('a name that is none, one that is taken, and a good one', async () => {
      const { page } = boris
      await page.goto(address)
      await page.getByLabel(w.name).fill(names.boris)
      await press(page, page.getByRole('button', { name: w.save }))
      await expect(page.getByLabel(w.yours)).toBeVisible()
      await anna.page.goto(address)
      const field = anna.page.getByLabel(w.name)
      for (const wrong of ['Anna!', names.boris.toUpperCase()]) {
        await field.fill(wrong)
        await anna.page.keyboard.press('Enter')
        await expect(anna.page.getByRole('alert')).not.toBeEmpty()
        await expect(field).toHaveValue(wrong)
      }
      await accessible(anna.page)
      await field.fill(names.anna)
      await anna.page.keyboard.press('Enter')
      await expect(anna.page.getByLabel(w.yours)).toBeVisible()
    })

    const said = anna.page.getByRole('article').filter({ hasText: mark })
    const heard = boris.page.getByRole('article').filter({ hasText: mark })
    await test.step('what one writes, the other sees without a reload', async () => {
      await boris.page.reload()
      await expect(boris.page.getByLabel(w.yours)).toBeVisible()
      await anna.page.getByLabel(w.yours).fill(`${mark} <img src=x onerror=alert(1)> https://example.org/a?b=1.`)
      await press(anna.page, anna.page.getByRole('button', { name: w.send }))
      await expect(said).toBeFocused()
      await expect(said.locator('img')).toHaveCount(0)
      await expect(said.getByRole('link', { name: 'https://example.org/a?b=1' })).toHaveAttribute('rel', /nofollow/)
      await expect(anna.page.getByLabel(w.yours)).toHaveValue('')
      await expect(heard).toBeVisible({ timeout: 15_000 })
    })

    await test.step('an answer, an edit, a like and a report', async () => {
      await press(boris.page, heard.getByRole('link', { name: w.reply }))
      await expect(boris.page.getByLabel(w.answer)).toBeFocused()
      await boris.page.keyboard.type(`Answer to ${mark.split(' ')[1]}`)
      await boris.page.keyboard.press('Tab')
      await boris.page.keyboard.press('Enter')
      const answer = (page: Page) => page.getByRole('article').filter({ hasText: `Answer to ${mark.split(' ')[1]}` })
      await expect(answer(boris.page)).toBeFocused()
      await expect(answer(anna.page)).toBeVisible({ timeout: 15_000 })

      await press(anna.page, said.getByRole('link', { name: w.change }))
      await expect(anna.page.getByLabel(w.text)).toBeFocused()
      await accessible(anna.page)
      await anna.page.getByLabel(w.text).fill(`${mark} changed`)
      await press(anna.page, anna.page.getByRole('button', { name: w.keep }))
      await expect(said.first()).toContainText('changed')

      await expect(heard.first()).toContainText('changed', { timeout: 15_000 })
      const like = heard.getByRole('button', { name: w.like })
      await press(boris.page, like)
      await expect(like).toHaveAttribute('aria-pressed', 'true')
      await press(boris.page, heard.getByRole('link', { name: w.report }))
      await expect(boris.page.getByRole('radio').first()).toBeFocused()
      await boris.page.keyboard.press('ArrowDown')
      await accessible(boris.page)
      await press(boris.page, boris.page.getByRole('button', { name: w.sendReport }))
      await expect(heard.first()).toContainText(w.reported)
    })

    await test.step('a moderator hides, restores and bans', async () => {
      expect(command('discussion', 'moderator', boris.email, '--edition', edition.id, '--dry-run')).toContain('dry run')
      expect(command('discussion', 'moderator', boris.email, '--edition', edition.id)).toContain('is a moderator now')
      await boris.page.reload()
      await press(boris.page, heard.getByRole('link', { name: w.moderate }))
      await accessible(boris.page)
      await press(boris.page, boris.page.getByRole('button', { name: w.hide }))
      await expect(heard.first()).toContainText(w.hidden)
      await expect(said).toHaveCount(0, { timeout: 15_000 })
      await press(boris.page, heard.getByRole('link', { name: w.moderate }))
      await press(boris.page, boris.page.getByRole('button', { name: w.restore }))
      await expect(said.first()).toBeVisible({ timeout: 15_000 })
      await press(boris.page, heard.getByRole('link', { name: w.moderate }))
      await boris.page.getByLabel(w.why).fill('Skúška')
      await press(boris.page, boris.page.getByRole('button', { name: w.ban }))
      await expect(boris.page.getByLabel(w.why)).toHaveCount(0)
      await anna.page.reload()
      await expect(anna.page.getByText(w.banned)).toBeVisible()
      await expect(anna.page.getByText('Skúška')).toBeVisible()
      await expect(anna.page.getByLabel(w.yours)).toHaveCount(0)
      await accessible(anna.page)
      expect(command('discussion', 'unban', anna.email, '--edition', edition.id)).toContain('may write again')
    })

    await test.step('below its article the discussion is as high as it is long once the reader is in it', async () => {
      await boris.page.goto(edition.origin + new URL(must(post, 'a post').post_url, edition.origin).pathname)
      const frame = boris.page.locator('iframe#discussion')
      await frame.scrollIntoViewIfNeeded()
      const inside = boris.page.frameLocator('iframe#discussion')
      await expect(inside.getByText(`${mark} changed`)).toBeVisible()
      await inside.getByRole('link').first().focus()
      await expect
        .poll(async () => ((await frame.boundingBox())?.height ?? 0) - (await inside.locator('main').evaluate((main) => main.scrollHeight)), { timeout: 15_000 })
        .toBeGreaterThanOrEqual(0)
      await accessible(boris.page)
    })
    // What a refused name answers is an answer, which browsers note as an error.
    expect(bad.flat().filter((line) => !/status of 4(09|22)/.test(line))).toEqual([])
    await anna.context.close()
    await boris.context.close()
  })
}

test('without scripts: a name, a comment that is too long and is not lost, a reply, a like', async ({ browser, request }) => {
  test.setTimeout(120_000)
  const edition = editions[0]
  const w = wordsOf(edition)
  const [post] = await posts(request, edition, false)
  const address = addressOf(edition, must(post, 'a post').post_id)
  const { page, context } = await subscriber(browser, request, edition, 'clara', false)
  await page.goto(address)
  await page.getByLabel(w.name).fill('Clára!')
  await page.getByRole('button', { name: w.save }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await page.getByLabel(w.name).fill(`Clára.${Date.now()}`)
  await page.getByRole('button', { name: w.save }).click()
  const text = `Bez skriptov ${Date.now()} www.a.example www.b.example www.c.example`
  await page.getByLabel(w.yours).fill(text)
  await page.getByRole('button', { name: w.send }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expect(page.getByLabel(w.yours)).toHaveValue(text)
  await page.getByLabel(w.yours).fill(text.replace(' www.c.example', ''))
  await page.getByRole('button', { name: w.send }).click()
  const comment = page.getByRole('article').filter({ hasText: text.split(' ')[2] ?? '' })
  await expect(comment).toHaveCount(1)
  await page.reload()
  await expect(comment).toHaveCount(1)
  await comment.getByRole('link', { name: w.reply }).click()
  await page.getByLabel(w.answer).fill(`A ešte Bez skriptov ${text.split(' ')[2]}`)
  await page.getByRole('button', { name: 'Odoslať odpoveď' }).click()
  await expect(page.getByRole('article').filter({ hasText: `A ešte Bez skriptov ${text.split(' ')[2]}` })).toBeVisible()
  await expect(page.getByLabel(w.answer)).toHaveCount(0)
  await context.close()
})
