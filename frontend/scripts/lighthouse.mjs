// Measures the front page, an article and a category page of the running paper as Lighthouse's mobile preset sees them,
// behind nginx with TLS and HTTP/2 as the guide sets it up, and once more in a browser whose fonts come two seconds late.
// Fails where accessibility, best practices, SEO or layout shift are below their limits. Speed depends on the machine and
// on what else it does, so it is printed with its aim and fails nothing.
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { frontend } from './paths.mjs'

const version = '12.8.2' // fetched when it is first used: as a dependency it would double every installation
const runs = Number(process.env.RUNS ?? 3)
if (!Number.isInteger(runs) || runs < 1) throw new Error(`RUNS must be a whole number of 1 or more, not ${process.env.RUNS}`)
const run = promisify(execFile)
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** The paper on loopback, with its sample content, in a folder of its own. */
async function startPaper() {
  const [port, admin] = [await freePort(), await freePort()]
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'broadsheet-lighthouse-'))
  fs.chmodSync(data, 0o755) // the embedded database runs as another user
  const args = ['dev', '--listen', `127.0.0.1:${port}`, '--admin', `127.0.0.1:${admin}`, '--data', data]
  const paper = spawn(path.join(frontend, '../bin/broadsheet'), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  paper.stderr.on('data', (part) => (log = (log + part).slice(-4000)))
  const ended = new Promise((resolve) => paper.once('exit', resolve))
  const stop = async () => {
    paper.kill('SIGTERM')
    await ended
    fs.rmSync(data, { recursive: true, force: true })
  }
  const ready = async () => (await fetch(`http://127.0.0.1:${admin}/readyz`).catch(() => null))?.ok
  for (const until = Date.now() + 600_000; !(await ready()); await new Promise((resolve) => setTimeout(resolve, 500))) {
    if (Date.now() < until && paper.exitCode === null) continue
    await stop()
    throw new Error(`the paper did not start:\n${log}`)
  }
  const proxy = await startProxy(data, port).catch(async (err) => {
    await stop()
    throw err
  })
  return { origin: `http://127.0.0.1:${port}`, proxied: proxy.port, stop: () => proxy.stop().then(stop) }
}

/** nginx, which speaks TLS and HTTP/2 with readers. Its folder goes with the paper's. */
async function startProxy(folder, to) {
  const [port, at] = [await freePort(), (file) => path.join(folder, file)]
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-keyout', at('key.pem'), '-out', at('certificate.pem')]
  await run('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject])
  fs.writeFileSync(at('nginx.conf'), `
    pid ${at('nginx.pid')}; daemon off; events {}
    http {
      access_log off;
      upstream paper { server 127.0.0.1:${to}; keepalive 16; }
      server {
        listen 127.0.0.1:${port} ssl http2;
        ssl_certificate ${at('certificate.pem')}; ssl_certificate_key ${at('key.pem')};
        location / {
          proxy_pass http://paper; proxy_http_version 1.1;
          proxy_set_header Connection ""; proxy_set_header Host $host:${to};
        }
      }
    }`)
  const nginx = spawn('nginx', ['-e', at('nginx.log'), '-c', at('nginx.conf')], { stdio: 'inherit', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } })
  const ended = new Promise((resolve) => nginx.once('exit', resolve).once('error', resolve))
  const stop = async () => {
    nginx.kill('SIGTERM')
    await ended
  }
  const connects = () =>
    new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true) ?? socket.end()).once('error', () => resolve(false))
    })
  while (!(await connects())) {
    if (nginx.exitCode !== null || !nginx.pid) throw new Error('nginx does not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { port, stop }
}

/** The first edition, its first story and that story's category: named by the pages themselves. */
async function choosePages({ origin, proxied }) {
  const editions = await (await fetch(origin)).text()
  const front = new URL(editions.match(/<a href="([^"]+)"/)[1])
  // The name need not resolve outside of a browser.
  const answer = await new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port: front.port, path: '/', headers: { host: front.host } }, resolve).on('error', reject)
  })
  const html = Buffer.concat(await answer.toArray()).toString()
  const { page } = JSON.parse(html.match(/id="bootstrap">([^]*?)<\/script>/)[1])
  const story = page.data.lead[0]
  const reader = `https://${front.hostname}:${proxied}`
  return { 'front page': reader + '/', article: reader + story.url, category: reader + story.section.url }
}

async function measure(url) {
  const args = ['exec', '--yes', `--package=lighthouse@${version}`, '--', 'lighthouse', url, '--quiet', '--output=json', '--output-path=stdout']
  const flags = ['--only-categories=performance,accessibility,best-practices,seo', '--chrome-flags=--headless=new --no-sandbox --disable-gpu --ignore-certificate-errors']
  const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? '/usr/bin/chromium' }
  const { stdout } = await run('npm', [...args, ...flags], { env, maxBuffer: 1 << 27 })
  const { categories, audits, runtimeError } = JSON.parse(stdout)
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
  const score = (name) => Math.round(categories[name].score * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    seo: score('seo'),
    lcp: audits['largest-contentful-paint'].numericValue / 1000,
    cls: audits['cumulative-layout-shift'].numericValue,
    tbt: audits['total-blocking-time'].numericValue,
    faults: Object.values(audits).filter(({ id, score: got }) => got === 0 && ['accessibility', 'best-practices', 'seo'].some((name) => categories[name].auditRefs.some((ref) => ref.id === id && ref.weight > 0))),
  }
}

/** How far a page jumps on a phone and on a desktop when its fonts come two seconds late: the worse of both. */
async function lateFonts(browser, url) {
  const shifts = []
  for (const width of [390, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, ignoreHTTPSErrors: true })
    await page.route('**/*.woff2', (route) => setTimeout(() => void route.continue().catch(() => undefined), 2000))
    await page.addInitScript(() => {
      globalThis.shift = 0
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (globalThis.shift += entry.value))).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(url)
    await page.waitForTimeout(4000)
    shifts.push(await page.evaluate(() => globalThis.shift))
    await page.close()
  }
  return Math.max(...shifts)
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
const paper = await startPaper()
const problems = []
try {
  const pages = await choosePages(paper)
  console.log(`median of ${runs}    performance  accessibility  best practices  SEO    LCP s    CLS     TBT ms  late fonts`)
  for (const [name, url] of Object.entries(pages)) {
    await measure(url) // makes the pictures and the page
    const all = []
    for (let n = 0; n < runs; n++) all.push(await measure(url))
    const of = (what) => median(all.map((one) => one[what]))
    const row = [of('performance'), of('accessibility'), of('practices'), of('seo'), of('lcp').toFixed(2), of('cls').toFixed(3), Math.round(of('tbt')), (await lateFonts(browser, url)).toFixed(3)]
    console.log(name.padEnd(14), ...row.map((value, place) => String(value).padStart([11, 13, 14, 5, 9, 7, 9, 12][place])))
    for (const what of ['accessibility', 'practices', 'seo']) {
      if (of(what) < 100) problems.push(`${name}: ${what} ${of(what)}: ${[...new Set(all.flatMap(({ faults }) => faults.map(({ title }) => title)))].join('; ')}`)
    }
    if (Math.max(of('cls'), row.at(-1)) > 0.01) problems.push(`${name}: layout shift ${of('cls').toFixed(3)}, ${row.at(-1)} with late fonts`)
  }
  console.log('aims                    95            100            100  100     1.60   0.010                 0.010')
} finally {
  await browser.close()
  await paper.stop()
}
if (problems.length > 0) {
  console.error(`\nBelow the limits:\n  ${problems.join('\n  ')}`)
  process.exit(1)
}
