import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

export type PageMeta = Schemas['Meta']
export type PageRedirect = Schemas['PageRedirect']

/** What a page was made for: nobody signed in, a reader without the right to all of it, one who may read it. */
export type Tier = Schemas['Tier']

/** One page as the server answers it: inlined at the first load, fetched on navigation. */
export type Page<Data = unknown> = Omit<Schemas['Page'], 'data'> & { data: Data }

/** Asks the server for the page at a path and query. */
export async function fetchPage(url: string, signal?: AbortSignal): Promise<Page | PageRedirect> {
  const response = await fetch(`/api/page?url=${encodeURIComponent(url)}`, { headers: { accept: 'application/json' }, signal: signal ?? null })
  const isJSON = response.headers.get('content-type')?.includes('json')
  const body: unknown = isJSON ? await response.json() : null
  if (isRedirect(body) || isPage(body)) return body
  throw new Error(`The page ${url} was answered with ${response.status}`)
}

const has = (value: unknown, key: string): value is Record<string, unknown> => typeof value === 'object' && value !== null && key in value

export const isRedirect = (value: unknown): value is PageRedirect => has(value, 'redirect') && typeof value.redirect === 'string'

const isPage = (value: unknown): value is Page => has(value, 'route') && has(value, 'meta') && has(value, 'data')
