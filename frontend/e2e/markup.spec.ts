import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { expect, test, type APIRequestContext, type Browser } from '@playwright/test'
import { validateXML } from 'xmllint-wasm'
import { editions, must, type Edition } from './paper.ts'
import { places } from './places.ts'
import { call, register, subscribe } from './reader.ts'

const run = promisify(execFile)
/** As a browser that has asked the paper for a mail: the page that says so is for no other. */
const asked = { cookie: `lr=${'A'.repeat(43)}` }

const checker = path.join(import.meta.dirname, '../node_modules/vnu-jar/build/dist/vnu.jar')

interface Finding {
  type: string
  subType?: string
  url: string
  message: string
  extract?: string
}

/** What the HTML checker has against some files; one start of Java for all of them. */
async function findings(folder: string): Promise<Finding[]> {
  const args = ['-Xss2m', '-jar', checker, '--format', 'json', '--exit-zero-always', '--skip-non-html', folder]
  const { stderr } = await run(process.env.JAVA ?? 'java', args, { maxBuffer: 64 << 20 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('The HTML checker needs Java (Debian: apt-get install default-jre-headless)') : error
  })
  // What is neither error nor warning is a matter of taste, such as how React closes its tags.
  return (JSON.parse(stderr) as { messages: Finding[] }).messages.filter((f) => f.type === 'error' || f.subType === 'warning')
}

const budgets = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../budgets.json'), 'utf8')) as { routes: Record<string, { html: number }> }

/** How much a document weighs on the line, in KiB, and how much its kind of page may. */
function weight(html: Buffer): { weighs: number; may: number } {
  const { page } = JSON.parse(must(/id="bootstrap"[^>]*>([^<]+)</.exec(html.toString())?.[1], 'the bootstrap')) as { page: { route: string } }
  return { weighs: zlib.gzipSync(html, { level: 9 }).length / 1024, may: must(budgets.routes[page.route], `the budget of ${page.route}`).html }
}

/** Writes a comment, and an answer to it, under the article whose discussion is looked at. */
async function discuss(browser: Browser, edition: Edition, discussion: string): Promise<void> {
  const context = await browser.newContext()
  await register(context, edition, 'writer')
  await subscribe(context, edition)
  await call(context, edition, '/fns/user-comment-name', { comment_name: `Writer.${Date.now()}` })
  const of = `/api/discussion/${must(/comment-(\d+)/.exec(discussion)?.[1], 'the article')}`
  const { id } = (await call(context, edition, of, { text: 'A comment.', key: 'comment' })) as { id: number }
  await call(context, edition, of, { text: 'An answer.', key: 'answer', parent: id })
  await context.close()
}

test('every kind of page is valid HTML, and weighs no more than it may', async ({ browser, request }, info) => {
  test.slow() // the checker is a Java program that reads all pages at once
  const folder = info.outputPath('html')
  fs.mkdirSync(folder, { recursive: true })
  let count = 0
  for (const edition of editions) {
    const pages = await places(request, edition)
    if (edition === editions[0]) await discuss(browser, edition, must(pages.discussion, 'a discussion'))
    for (const [name, url] of Object.entries(pages)) {
      const answer = await request.get(url, { headers: asked })
      expect(answer.headers()['content-type'], url).toContain('text/html')
      const html = await answer.body()
      fs.writeFileSync(path.join(folder, `${edition.id} ${name}.html`), html)
      const { weighs, may } = weight(html)
      expect(weighs, `${edition.id} ${name}`).toBeLessThanOrEqual(may)
      count++
    }
  }
  expect(count).toBeGreaterThan(60)
  fs.writeFileSync(path.join(folder, 'broken on purpose.html'), '<!doctype html><title>x</title><p><div></p>')
  const all = await findings(folder)
  const broken = (f: Finding) => f.url.includes('purpose')
  expect(all.some(broken), 'the checker finds what is wrong').toBe(true)
  const told = all.filter((f) => !broken(f)).map((f) => `${decodeURI(path.basename(f.url))}: ${f.message} ${f.extract ?? ''}`)
  expect([...new Set(told)].slice(0, 20)).toEqual([])
})

const schema = (name: string) => ({ fileName: `${name}.xsd`, contents: fs.readFileSync(path.join(import.meta.dirname, 'xsd', `${name}.xsd`), 'utf8') })

async function valid(xml: string, name: string, ...others: string[]) {
  const { valid, errors } = await validateXML({ xml: { fileName: 'map.xml', contents: xml }, schema: schema(name), preload: others.map(schema) })
  return valid ? [] : errors.map((e) => e.rawMessage)
}

const mapErrors = (xml: string) => (xml.includes('<sitemapindex') ? valid(xml, 'index', 'terms') : valid(xml, 'sitemap', 'terms', 'news'))

async function text(request: APIRequestContext, url: string) {
  const answer = await request.get(url)
  expect(answer.ok(), url).toBe(true)
  return answer.text()
}

const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc as string)

/** All maps that robots.txt names, and their parts. */
async function maps(request: APIRequestContext, edition: Edition) {
  const named = [...(await text(request, `${edition.origin}/robots.txt`)).matchAll(/^Sitemap: (\S+)$/gm)].map(([, url]) => url as string)
  expect(named).toHaveLength(2)
  const found = new Map<string, string>()
  for (const url of named) {
    const xml = await text(request, url)
    found.set(url, xml)
    if (xml.includes('<sitemapindex')) for (const part of locations(xml)) found.set(part, await text(request, part))
  }
  return found
}

for (const edition of editions) {
  test(`the maps of ${edition.id} follow their schemas and lead somewhere`, async ({ request }) => {
    const found = await maps(request, edition)
    expect(found.size).toBeGreaterThan(5)
    let news = 0
    for (const [url, xml] of found) {
      expect(await mapErrors(xml), url).toEqual([])
      news += xml.split('<news:news>').length - 1
      for (const page of locations(xml).slice(0, 3)) {
        const answer = await request.get(page, { maxRedirects: 0 })
        expect(`${answer.status()} ${page}`).toBe(`200 ${page}`)
      }
    }
    expect(news).toBeGreaterThan(0)
  })
}

test('the schemas refuse what is no map', async () => {
  const names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
  for (const [why, xml] of Object.entries({
    'an empty map': `<urlset ${names}></urlset>`,
    'an address that is none': `<urlset ${names}><url><loc>/local/path/of/it</loc></url></urlset>`,
    'a date that is none': `<urlset ${names}><url><loc>https://paper.example/</loc><lastmod>yesterday</lastmod></url></urlset>`,
    'no address': `<urlset ${names}><url><lastmod>2026-11-21</lastmod></url></urlset>`,
    'an address twice': `<urlset ${names}><url><loc>https://paper.example/</loc></url><url><loc>https://paper.example/</loc></url></urlset>`,
    'news without a title': `<urlset ${names} xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://paper.example/</loc><n:news><n:publication><n:name>P</n:name><n:language>de</n:language></n:publication><n:publication_date>2026-11-21</n:publication_date></n:news></url></urlset>`,
    'an index of nothing': `<sitemapindex ${names}></sitemapindex>`,
  }))
    expect(await mapErrors(xml), why).not.toEqual([])
})
