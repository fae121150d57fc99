import { vi } from 'vitest'

export interface Call {
  method: string
  path: string
  body: unknown
}

/** Answers the server's calls by path, in order where there are several answers; a number is a refusal's status. */
export function answerCalls(answers: Record<string, [status: number, body: unknown][]>): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url)
    const text = await request.text()
    calls.push({ method: request.method, path: url.pathname + url.search, body: text ? JSON.parse(text) : undefined })
    const queue = answers[url.pathname]
    const answer = queue && queue.length > 1 ? queue.shift() : queue?.[0]
    if (!answer) throw new TypeError(`No answer for ${url.pathname}`)
    return new Response(JSON.stringify(answer[1]), { status: answer[0], headers: { 'content-type': 'application/json' } })
  })
  return calls
}

/** Where a full load of another page was asked to. */
export const watchLeaving = () => vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)

export const to = (redirect: string): [number, unknown] => [200, { success: true, data: { redirect } }]
export const refuse = (error: string, field?: string): [number, unknown] => [422, { success: false, error, status: 422, ...(field ? { field } : {}) }]

/** Says which page led to this one; '' for none that is told. */
export const cameFrom = (referrer: string) => Object.defineProperty(document, 'referrer', { value: referrer, configurable: true })
