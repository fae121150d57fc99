import type { ErrorCode } from './codes.ts'

/** A call that the server refused, or that did not get through (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode
  /** The form field at fault, if the server named one. */
  readonly field: string | undefined

  constructor(status: number, code: ErrorCode, field?: string) {
    super(`${status} ${code}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.field = field
  }
}

/** The code of anything that was thrown. */
export const errorCode = (error: unknown): ErrorCode => (error instanceof ApiError ? error.code : 'ERROR')
