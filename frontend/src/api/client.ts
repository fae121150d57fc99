import createClient, { type Middleware } from 'openapi-fetch'
import { isErrorCode, type ErrorCode } from './codes.ts'
import { ApiError } from './error.ts'
import { namedReader } from './named-reader.ts'
import type { paths } from './schema.gen.ts'

/** What a refusal says; an answer that is none says ERROR. */
async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { error?: unknown; field?: unknown } | null
  const code: ErrorCode = isErrorCode(body?.error) ? body.error : 'ERROR'
  return new ApiError(response.status, code, typeof body?.field === 'string' ? body.field : undefined)
}

// The one way in which calls fail: an ApiError with a code that has words.
const failing: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await refusal(response.clone())
  },
  onError({ error }) {
    return error instanceof ApiError || (error as Error).name === 'AbortError' ? undefined : new ApiError(0, 'CONNECTION_FAILED')
  },
}

/** The server's calls, typed by its OpenAPI description: `api.POST('/fns/user-login', { body })`. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin', fetch: (request) => fetch(request), bodySerializer: (body) => JSON.stringify(namedReader() ? { user_id: namedReader(), ...(body as unknown as object) } : body) })
api.use(failing)
