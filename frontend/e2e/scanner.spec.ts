import { expect, test, type Page } from '@playwright/test'
import { editions, mailedCode, emailsTo, must, type Edition } from './paper.ts'

/** What a reader has done so far: asked for a mail in the page, which leaves the browser that asked with its cookie. */
async function mailedLink(page: Page, edition: Edition, address: string): Promise<string> {
  await page.goto(`${edition.origin}/account/login`)
  await page.locator('form[action="/fns/user-login"] input[type=email]').fill(address)
  await page.locator('form[action="/fns/user-login"] button[type=submit]').first().click()
  await page.waitForURL(/\/account\/sent/)
  await mailedCode(page.request, edition, address)
  const [mail] = await emailsTo(page.request, edition, address)
  return must(/https?:\/\/\S*\/security-check\S*/.exec(must(mail, 'the email').text), 'the link')[0]
}

for (const edition of editions) {
  test(`${edition.id}: machines open a login link as often as they like, scripts and all, and it stays its reader's`, async ({ page, request, browser }) => {
    const address = `scanned-${Date.now()}-${edition.id.replaceAll('_', '-')}@example.org`
    const link = await mailedLink(page, edition, address)
    for (let i = 0; i < 20; i++) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) expect((await request.fetch(link.replace('#', '%23'), { method, maxRedirects: 0 })).headers()['set-cookie']).toBeUndefined()
    }

    // One that runs scripts, comes by the addresses that mail gateways make of a link, and presses every button by script. No
    // evaluate here: the browser would take it for a person's hand.
    const scanner = await browser.newContext()
    const machine = await scanner.newPage()
    const pressed: string[] = []
    machine.on('console', (m) => m.text().startsWith('pressed') && pressed.push(m.text()))
    await machine.addInitScript(() => {
      setInterval(() => {
        for (const one of document.querySelectorAll<HTMLElement>('main button')) {
          console.log('pressed', one.innerText)
          for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) one.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }))
          one.click()
        }
      }, 50)
    })
    for (const url of [link, link.replace('#', '%23'), link.replace('#hash=', '?hash=')]) {
      const posts = machine.waitForResponse((r) => r.url().endsWith('/api/security-login'))
      await machine.goto('about:blank')
      await machine.goto(url)
      const answer = await (await posts).json()
      expect(answer.data.confirm).toBe(true)
      expect(JSON.stringify(answer)).not.toContain(address)
      await machine.waitForTimeout(700)
    }
    await machine.goto('about:blank') // what reads and closes a page below may count as a person's hand there
    expect(pressed.length, 'there was a button, and it was pressed').toBeGreaterThan(3)
    expect((await scanner.cookies()).map(({ name }) => name)).not.toContain('session')
    expect((await (await machine.request.get(`${edition.origin}/user/me/`)).json()).user_id ?? '').toBeFalsy()
    await scanner.close()

    await page.goto(link)
    await page.waitForURL((u) => u.pathname === '/')
    expect((await (await page.request.get(`${edition.origin}/user/me/`)).json()).email).toBe(address)
    const { sessions } = (await (await page.request.get(`${edition.origin}/user/sessions`)).json()) as { sessions: unknown[] }
    expect(sessions, 'the only session is the reader’s own').toHaveLength(1)
  })
}
