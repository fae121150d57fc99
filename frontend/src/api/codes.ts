import { successCodes } from './success-codes.ts'

export { successCodes }

// Every code that has words, as the server knows them: those that may stand in ?status= and those that a call may be refused with. Others are ignored.
export const errorCodes = [
  'INVALID_REQUIREMENT', 'INVALID_ARGS', 'CONNECTION_FAILED', 'INVALID_ATTEMPT', 'INVALID_EMAIL', 'INVALID_HASH', 'MIGRATION_FAILED', 'EXPIRED_TOKEN',
  'NOT_LAST_TOKEN', 'TOKEN_USED', 'PAYMENT_FAILED', 'IBAN_PAYMENT_FAILED', 'USER_HAS_SUBSCRIPTION', 'FORBIDDEN_DOMAIN', 'INVALID_TOKEN', 'INVALID_USER',
  'NOT_EXISTING_ACCOUNT', 'COMMENT_NAME_EXISTS', 'INVALID_COMMENT_NAME', 'TOO_MANY_ATTEMPTS', 'INVALID_CODE', 'CODE_USED', 'UNABLE_TO_CREATE_PAYMENT',
  'INVALID_COUPON_CODE', 'USER_NOT_EXISTS', 'INVALID_INVOICE_DATA', 'UNDELIVERABLE_EMAIL', 'LOGIN_TOO_OLD', 'EMAIL_TAKEN', 'EMAIL_UNCHANGED',
  'APPROVAL_PENDING', 'LOGIN_DENIED', 'PASSKEY_INVALID', 'TOO_MANY_REQUESTS', 'SUBSCRIPTION_REQUIRED', 'DISCUSSION_BANNED', 'COMMENT_GONE',
  'COMMENT_EMPTY', 'COMMENT_TOO_LONG', 'NEWSLETTER_MISSING', 'TOO_MANY_LINKS', 'EDIT_TOO_LATE', 'NOT_MODERATOR', 'ALREADY_SENT', 'AMOUNT_CHANGED', 'BODY_TOO_LARGE', 'CROSS_ORIGIN', 'FOREIGN_USER',
  'IMAGE_BROKEN', 'IMAGE_TOO_LARGE', 'IMAGE_UNSUPPORTED', 'INVALID_LINK', 'INVALID_POST', 'LINK_NOT_ALLOWED', 'METHOD_NOT_ALLOWED', 'NOT_FOUND', 'NOT_JSON', 'OVERLOADED', 'SEARCH_TOO_LONG', 'SUBSCRIPTION_STATE',
  'ACCOUNT_NOT_DELETED', 'EMAIL_NOT_CHANGED', 'TRY_AGAIN', 'UNKNOWN_EDITION', 'WITHDRAWAL_NOT_SENT', 'WRONG_NUMBER', 'ERROR',
] as const

export type ErrorCode = (typeof errorCodes)[number]
export type SuccessCode = (typeof successCodes)[number]
export type StatusCode = ErrorCode | SuccessCode

export const isSuccessCode = (code: unknown): code is SuccessCode => (successCodes as readonly unknown[]).includes(code)

export const isErrorCode = (code: unknown): code is ErrorCode => (errorCodes as readonly unknown[]).includes(code)
