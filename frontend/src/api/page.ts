import type { ErrorCode } from './codes.ts'
import { ApiError } from './error.ts'
import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

export type PageMeta = Schemas['Meta']
export type PageRedirect = Schemas['PageRedirect']

/** What a page was made for: nobody signed in, a reader without the right to all of it, one who may read it. */
export type Tier = Schemas['Tier']

/** One page as the server answers it: inlined at the first load, fetched on navigation. */
export type Page<Data = unknown> = Omit<Schemas['Page'], 'data'> & { data: Data }

/** What a page may be refused with; anything else is an ERROR. */
const refusals: unknown[] = ['OVERLOADED', 'TOO_MANY_REQUESTS', 'TRY_AGAIN', 'INVALID_ARGS', 'UNKNOWN_EDITION'] satisfies ErrorCode[]

/** Asks the server for the page at a path and query; fails with an ApiError. */
export async function fetchPage(url: string, signal?: AbortSignal): Promise<Page | PageRedirect> {
  let status = 0
  let body: unknown = null
  try {
    const response = await fetch(`/api/page?url=${encodeURIComponent(url)}`, { headers: { accept: 'application/json' }, signal: signal ?? null })
    status = response.status
    if (response.headers.get('content-type')?.includes('json')) body = await response.json()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(status, 'CONNECTION_FAILED') // also in the middle of an answer
  }
  if (isRedirect(body) || isPage(body)) return body
  throw new ApiError(status, has(body, 'error') && refusals.includes(body.error) ? (body.error as ErrorCode) : 'ERROR')
}

const has = (value: unknown, key: string): value is Record<string, unknown> => typeof value === 'object' && value !== null && key in value

export const isRedirect = (value: unknown): value is PageRedirect => has(value, 'redirect') && typeof value.redirect === 'string'

const isPage = (value: unknown): value is Page => has(value, 'route') && has(value, 'meta') && has(value, 'data')
