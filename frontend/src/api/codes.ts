import type { discussionCodes } from './discussion-codes.ts'

// The codes that may stand in ?status= and the ones that a call may answer with. Others are ignored.
export const errorCodes = [
  'INVALID_REQUIREMENT', 'INVALID_ARGS', 'CONNECTION_FAILED', 'INVALID_ATTEMPT', 'INVALID_EMAIL', 'INVALID_HASH',
  'MIGRATION_FAILED', 'EXPIRED_TOKEN', 'NOT_LAST_TOKEN', 'TOKEN_USED', 'PAYMENT_FAILED', 'IBAN_PAYMENT_FAILED',
  'USER_HAS_SUBSCRIPTION', 'FORBIDDEN_DOMAIN', 'INVALID_TOKEN', 'INVALID_USER', 'NOT_EXISTING_ACCOUNT',
  'COMMENT_NAME_EXISTS', 'INVALID_COMMENT_NAME', 'TOO_MANY_ATTEMPTS', 'INVALID_CODE', 'CODE_USED',
  'UNABLE_TO_CREATE_PAYMENT', 'INVALID_COUPON_CODE', 'USER_NOT_EXISTS', 'INVALID_INVOICE_DATA', 'UNDELIVERABLE_EMAIL', 'LOGIN_TOO_OLD', 'EMAIL_TAKEN',
  'EMAIL_UNCHANGED', 'APPROVAL_PENDING', 'LOGIN_DENIED', 'PASSKEY_INVALID', 'ERROR',
] as const

export const successCodes = [
  'COMMENT_NAME_SET', 'INVOICE_DATA_UPDATED', 'SPECIAL_OFFER_SUCCESS', 'PAYMENT_SUCCESS', 'EMAIL_SENT', 'LOGIN_DESCRIPTION', 'ACCOUNT_DELETED',
  'EMAIL_CHANGED', 'LOGIN_APPROVED', 'LOGIN_REFUSED',
] as const

export type ErrorCode = (typeof errorCodes)[number] | (typeof discussionCodes)[number]
export type StatusCode = ErrorCode | (typeof successCodes)[number]

/** Those that may be said; an area with words of its own adds to them. */
export const known = new Set<unknown>([...errorCodes, ...successCodes])

export const isStatusCode = (code: unknown): code is StatusCode => known.has(code)
export const isErrorCode = (code: unknown): code is ErrorCode => isStatusCode(code) && !(successCodes as readonly string[]).includes(code)
