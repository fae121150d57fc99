import createClient, { type Middleware } from 'openapi-fetch'
import { isErrorCode, type ErrorCode } from './codes.ts'
import { ApiError } from './error.ts'
import type { paths } from './schema.gen.ts'

async function codeOf(response: Response): Promise<ErrorCode> {
  try {
    const body: unknown = await response.json()
    const code = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
    return isErrorCode(code) ? code : 'ERROR'
  } catch {
    return 'ERROR'
  }
}

// The one way in which calls fail: an ApiError with a code that has words.
const failing: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw new ApiError(response.status, await codeOf(response.clone()))
  },
  onError({ error }) {
    return error instanceof ApiError || (error as Error).name === 'AbortError' ? undefined : new ApiError(0, 'CONNECTION_FAILED')
  },
}

/** The server's calls, typed by its OpenAPI description: `api.POST('/fns/user-login', { body })`. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })
api.use(failing)
