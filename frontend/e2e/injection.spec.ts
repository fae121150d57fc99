import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { command } from './command.ts'
import { editions, hydrated } from './paper.ts'
import { payloads } from './payloads.ts'
import { register, subscribe } from './reader.ts'

const [model] = editions
const origin = model.origin.replace('sk.', 'trap.')
const edition = { ...model, origin }
const xml = (text: string) => text.replaceAll(']]>', ']]]]><![CDATA[>')
const pieces = <T>(list: T[], size: number) => Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, i * size + size))

/** Everything that ran, and every script that only the policy of the page has stopped: markup that should not be there. */
interface Caught {
  ran: string[]
  stopped: string[]
}

/** A browser in which whatever a payload runs is told, in every frame. */
async function trapped(browser: Browser): Promise<{ context: BrowserContext; caught: Caught }> {
  const caught: Caught = { ran: [], stopped: [] }
  const context = await browser.newContext()
  await context.exposeFunction('told', (kind: keyof Caught, where: string) => caught[kind].push(where))
  await context.addInitScript(() => {
    const { told } = window as unknown as { told: (kind: string, where: string) => void }
    const trap = () => told('ran', location.href)
    Object.assign(window, { trap, alert: trap, confirm: trap, prompt: trap })
    document.addEventListener('securitypolicyviolation', (e) => {
      if (e.effectiveDirective.startsWith('script-src') || e.blockedURI === 'javascript') told('stopped', `${location.href} ${e.effectiveDirective} ${e.blockedURI} ${e.sample}`)
    })
  })
  return { context, caught }
}

/** Looks at a page as long as something could still begin: it is loaded, every element was pointed at, focused and opened. */
async function provoke(page: Page) {
  await hydrated(page)
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('main *')) {
      one.dispatchEvent(new PointerEvent('pointerenter'))
      one.dispatchEvent(new FocusEvent('focus'))
      one.dispatchEvent(new Event('toggle'))
      one.dispatchEvent(new Event('error'))
    }
  })
}

/** An export of another system whose every text is hostile: each article has a part of the payloads in its body. */
function exported(parts: string[][]): string {
  const authors = parts.map((part, i) => `<wp:author><wp:author_login>a${i}</wp:author_login><wp:author_display_name><![CDATA[A${i} ${xml(part[0] ?? '')}]]></wp:author_display_name><wp:author_description><![CDATA[${xml(part.join(' '))}]]></wp:author_description></wp:author>`)
  const items = parts.map(
    (part, i) => `<item><title><![CDATA[Trap ${i} ${xml(part[1] ?? '')}]]></title><dc:creator>a${i}</dc:creator><wp:post_id>${i + 1}</wp:post_id><wp:post_date_gmt>2026-01-0${(i % 9) + 1} 10:00:00</wp:post_date_gmt>
<wp:post_name>trap-${i}</wp:post_name><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><excerpt:encoded><![CDATA[${xml(part.slice(2, 5).join(' '))}]]></excerpt:encoded>
<content:encoded><![CDATA[${part.map((one) => `<p>before ${xml(one)} after</p>`).join('\n')}]]></content:encoded></item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>x</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url>${authors.join('')}${items.join('')}</channel></rss>`.replaceAll('\u0001', '')
}

test.describe('scripts in texts', () => {
  test.describe.configure({ mode: 'serial', timeout: 240_000 })
  const folder = mkdtempSync(path.join(tmpdir(), 'trap-'))
  const file = (name: string, text: string) => {
    const at = path.join(folder, name)
    writeFileSync(at, text)
    return at
  }

  test.beforeAll(async () => {
    expect(payloads.length).toBeGreaterThanOrEqual(500)
    expect(new Set(payloads).size).toBe(payloads.length)
    // An edition of its own: what is hostile here stands in no page that another test looks at.
    const text = readFileSync(path.join(import.meta.dirname, '../../tenants/standard.yaml'), 'utf8')
    const hostile = JSON.stringify(payloads.filter((one) => ![...one].some((c) => c < ' ')).filter((_, i) => i % 60 === 0).join(' ').slice(0, 900))
    const own = text
      .replace('\nid: standard\n', '\nid: trap\n')
      .replace('[sk.localhost]', '[trap.localhost]')
      .replace("'99123456'", "'99123457'") // of another supplier, whose invoices have numbers of their own
      .replace('SK8999520000001987426375', 'SK8399520000001987426483') // and of another account, whose references are
      .replace(/name: Predplatné na štyri týždne/, `name: ${JSON.stringify(`<img src=x onerror=trap()> </script><script>trap()</script>`)}`)
      .replace(/badge: Najobľúbenejšie/, `badge: ${JSON.stringify(`"'><svg onload=trap()>`)}`)
      .replace(/tooltip: 'Prvé obdobie[^\n]*/, `tooltip: ${hostile}`)
      .replace('- čítanie bez reklamy', '- <img src=x onerror=trap()> [x](javascript:trap())')
    command('edition', 'add', file('trap.yaml', own))
    const hostileExport = file('trap.xml', exported(pieces(payloads, 110)))
    const take = () => command('import', 'wordpress', hostileExport, '--edition', 'trap', '--category', edition.section)
    await expect(take, 'the server has taken the new edition in, with its categories').toPass({ timeout: 30_000 })
  })
  test.afterAll(() => {
    command('edition', 'remove', 'trap', '--yes', '--drop', '--at-once', '--keep-subscriptions')
  })

  test('the trap catches what runs, and what the policy stops', async ({ browser }) => {
    const { context, caught } = await trapped(browser)
    const page = await context.newPage()
    await page.goto(`${origin}/account/login`)
    await page.evaluate(() => {
      const image = document.createElement('div')
      image.innerHTML = '<img src=x onerror=trap()>'
      document.body.append(image)
    })
    await expect.poll(() => caught.stopped.length).toBeGreaterThan(0)
    expect(caught.ran).toEqual([])
    await page.evaluate('trap()')
    await expect.poll(() => caught.ran.length).toBe(1)
    await context.close()
  })

  test('articles, authors and lists', async ({ browser }) => {
    const { context, caught } = await trapped(browser)
    const page = await context.newPage()
    const list = (await (await page.request.get(`${origin}/content/posts/by_category/${edition.section}?per_page=40`)).json()) as { post_url: string; author_data: { id: string }[] }[]
    expect(list).toHaveLength(Math.ceil(payloads.length / 110))
    const pages = new Set(['/', `/category/${edition.section}`, '/account', '/search/Trap', ...list.map((one) => new URL(one.post_url, origin).pathname), ...list.flatMap((one) => one.author_data.map(({ id }) => `/author/${id}`))])
    let shown = ''
    for (const at of pages) {
      await page.goto(origin + at)
      await provoke(page)
      shown += await page.locator('main').innerText()
    }
    expect(shown).toContain('trap()') // the payloads are there, as words
    expect(caught).toEqual({ ran: [], stopped: [] })
    await context.close()
  })

  test('comments and the name above them', async ({ browser }) => {
    const { context, caught } = await trapped(browser)
    const page = await context.newPage()
    const call = (to: string, data: unknown) => context.request.post(origin + to, { headers: { origin }, data })
    await register(context, edition, 'trap')
    await subscribe(context, edition)

    for (const name of payloads.filter((_, i) => i % 20 === 0)) expect((await call('/fns/user-comment-name', { comment_name: name })).ok(), name).toBe(false)
    expect((await call('/fns/user-comment-name', { comment_name: `Trap.${Date.now() % 100_000}` })).ok()).toBe(true)
    const linkless = payloads.filter((one) => !/:\/\/|www\./.test(one))
    const texts = ['']
    for (const one of linkless) {
      const last = `${texts.at(-1)}\n${one}`
      if (last.length < 1950) texts[texts.length - 1] = last
      else if (texts.length < 10) texts.push(one)
      else break
    }
    for (const [key, text] of texts.entries()) {
      const written = await call('/api/discussion/1', { text, key: String(key) })
      expect(written.ok(), await written.text()).toBe(true)
    }
    for (const at of ['/discussion/comment-1', '/account/profile']) {
      await page.goto(origin + at)
      await provoke(page)
    }
    await page.goto(`${origin}/discussion/comment-1`)
    expect((await page.locator('main').innerText()).split('trap()').length).toBeGreaterThan(200)
    expect(caught).toEqual({ ran: [], stopped: [] })
    await context.close()
  })

  test('searches and messages in the address', async ({ browser }) => {
    const { context, caught } = await trapped(browser)
    const page = await context.newPage()
    await page.goto(`${origin}/account/login`)
    const terms: string[] = ['']
    for (const one of payloads) {
      const last = `${terms.at(-1)} ${one}`
      if (last.length < 190) terms[terms.length - 1] = last
      else terms.push(one)
    }
    for (const batch of pieces(terms, 12)) {
      const urls = batch.map((one, i) => {
        const text = encodeURIComponent(one)
        return i % 3 === 0 ? `/account/login?status=${text}&email=${text}&referrer=${text}#${text}` : `/search/${text}?status=${text}&q=${text}`
      })
      await page.evaluate(async (list) => {
        await Promise.all(
          list.map(
            (src) =>
              new Promise((done) => {
                const frame = Object.assign(document.createElement('iframe'), { src, onload: done, onerror: done })
                document.body.append(frame)
              }),
          ),
        )
      }, urls)
      await page.waitForTimeout(150) // what hydrates after the load
      await page.evaluate(() => document.querySelectorAll('body > iframe').forEach((one) => one.remove()))
    }
    expect(caught).toEqual({ ran: [], stopped: [] })
    await context.close()
  })
})
