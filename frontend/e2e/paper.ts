import dns from 'node:dns'
import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test'

// Browsers resolve *.localhost to this machine by themselves (RFC 6761); Node asks the network for it.
const lookup = dns.promises.lookup
dns.promises.lookup = ((host: string, options?: dns.LookupAllOptions) =>
  host.endsWith('.localhost') ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : options ? lookup(host, options) : lookup(host)) as typeof lookup

const port = Number(process.env.E2E_PORT ?? 8790)

/** What a test needs to know of an edition and its words. */
export interface Edition {
  readonly id: string
  readonly origin: string
  readonly section: string
  readonly limit: number
  readonly lang: string
}

/** The three editions that ship. */
export const editions = [
  { id: 'standard', origin: `http://sk.localhost:${port}`, section: 'politika', limit: 3, lang: 'sk-SK' },
  { id: 'standard_at', origin: `http://at.localhost:${port}`, section: 'politik', limit: 3, lang: 'de-AT' },
  { id: 'standard_com', origin: `http://ch.localhost:${port}`, section: 'politik', limit: 3, lang: 'de-CH' },
] as const satisfies readonly Edition[]

/** An edition in English, which none that ships is; setup.ts adds it. */
export const english = { id: 'english', origin: `http://english.localhost:${port}`, section: 'politics', limit: 3, lang: 'en-GB' } as const satisfies Edition

/** One edition for each language that readers are spoken to in. An edition sends twenty login mails an hour to one machine. */
export const languages = [editions[0], editions[1], english] as const

export interface Post {
  post_id: number
  post_url: string
  post_title: string
  post_locked: boolean
}

/** On how many lines the words of a place stand. */
export const linesOf = (place: Locator): Promise<number> =>
  place.evaluate((element) => {
    const tops = new Set<number>()
    const range = document.createRange()
    // Of the words alone: the box of an element begins higher than its letters.
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode)
      for (const { top } of range.getClientRects()) tops.add(Math.round(top))
    }
    return tops.size
  })

/** What has to be there for a test to make sense. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`)
  return value
}

/** Posts of the edition's first section; locked ones or open ones, where it matters. */
export async function posts(request: APIRequestContext, edition: Edition, locked?: boolean): Promise<Post[]> {
  const answer = await request.get(`${edition.origin}/content/posts/by_category/${edition.section}?per_page=40`)
  expect(answer.ok()).toBe(true)
  const body = (await answer.json()) as Post[]
  return body.filter((p) => locked === undefined || p.post_locked === locked)
}

export interface Email {
  to: string[]
  text: string
  headers: Record<string, string[]>
  /** Six digits, where it has them. */
  code?: string
}

/** The emails to an address, the newest first. All emails of a run would be megabytes. */
export async function emailsTo(request: APIRequestContext, edition: Pick<Edition, 'origin'>, address: string): Promise<Email[]> {
  return (await (await request.get(`${edition.origin}/_dev/mail.json`, { params: { to: address } })).json()) as Email[]
}

/** The six-digit codes that were mailed to an address, the newest first. */
export async function codesOf(request: APIRequestContext, edition: Edition, address: string): Promise<string[]> {
  return (await emailsTo(request, edition, address)).flatMap(({ code }) => code ?? [])
}

/** The newest of them, which may still be under way. */
export async function mailedCode(request: APIRequestContext, edition: Edition, address: string): Promise<string> {
  let code: string | undefined
  await expect.poll(async () => ([code] = await codesOf(request, edition, address))[0] ?? '', { timeout: 15_000 }).toMatch(/^\d{6}$/)
  return must(code, 'a code')
}

/** Collects what the browser complains about; a page must leave it empty. */
export function complaints(page: Page): string[] {
  const list: string[] = []
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') list.push(`${m.type()}: ${m.text()}`)
  })
  // What the page itself gives up, such as a picture of a page that was left, has not failed.
  page.on('requestfailed', (r) => r.failure()?.errorText !== 'net::ERR_ABORTED' && list.push(`failed: ${r.url()} ${r.failure()?.errorText}`))
  page.on('pageerror', (e) => list.push(`uncaught: ${e.message}`))
  return list
}

/** Waits until the page is hydrated and no navigation is pending. If another document replaces it, waits for that one. */
export async function hydrated(page: Page): Promise<void> {
  // Not waitForFunction: it first sends a third of a megabyte of Playwright's tools into every page.
  const answers = () =>
    new Promise<void>((done) => {
      const look = () => {
        if (performance.getEntriesByName('hydrated').length && !document.querySelector('main[aria-busy=true]')) done()
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look) // the address changes before the page is drawn
    })
  for (;;) {
    try {
      return await page.evaluate(answers)
    } catch (error) {
      if (!String(error).includes('Execution context was destroyed')) throw error
    }
  }
}

/** Waits until the page was hydrated and its session is known. */
export async function settled(page: Page): Promise<void> {
  await hydrated(page)
  const idle = page.waitForLoadState('networkidle').then(() => true)
  // A discussion in the page listens to what others write: from then on the network is never idle.
  const ready = () => performance.getEntriesByName('hydrated').length > 0
  while (!(await Promise.race([idle, page.waitForTimeout(500).then(() => false)]))) {
    const discussion = page.frames().find((frame) => frame !== page.mainFrame() && frame.url().includes('/discussion/'))
    if (await discussion?.evaluate(ready).catch(() => false)) return page.waitForTimeout(500)
  }
}
