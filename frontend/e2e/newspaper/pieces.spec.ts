import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { editions, must, posts } from '../paper.ts'
import { simulateFirstVisit, watchMoves, type Moves } from '../whole.ts'

const [edition] = editions

/** Passes requests on to the paper, and what is a page back in pieces that end before each of the tags. */
async function slowly(tags: RegExp): Promise<http.Server> {
  const paper = new URL(edition.origin)
  const server = http.createServer((asked, answer) => {
    const onward = http.request({ host: '127.0.0.1', port: paper.port, path: asked.url, headers: { ...asked.headers, host: paper.host, 'accept-encoding': 'identity' } }, (said) => {
      const headers = { ...said.headers }
      delete headers['content-length'] // each piece says its own
      answer.writeHead(said.statusCode ?? 502, headers)
      if (!said.headers['content-type']?.startsWith('text/html')) return said.pipe(answer)
      said.setEncoding('utf8').toArray().then(async (all: string[]) => {
        for (const piece of all.join('').split(tags)) {
          answer.write(piece)
          await wait(150)
        }
        answer.end()
      }, () => answer.destroy())
    })
    onward.on('error', () => answer.destroy())
    onward.end()
  })
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  return server
}

for (const width of [390, 1280]) {
  test(`an article that arrives in pieces, and its fonts late, does not jump at ${width} px`, async ({ page, request }) => {
    const server = await slowly(/(?=<(?:h1|figure|aside|footer)[ >])|(?<=<\/(?:header|figure|aside)>)/)
    try {
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript(watchMoves)
      await simulateFirstVisit(page)
      const { post_url } = must((await posts(request, edition, true))[0], 'a locked post')
      await page.goto(`http://sk.localhost:${(server.address() as AddressInfo).port}${new URL(post_url, edition.origin).pathname}`)
      await expect(page.getByRole('contentinfo')).toBeVisible()
      const { shift, moved } = await page.evaluate(() => (window as unknown as { moves: Moves }).moves)
      expect(shift, moved.join('\n')).toBeLessThanOrEqual(0.01)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
}
