// The codes of ?status= that are no refusals, apart from those: every page has these, few have all.
export const successCodes = [
  'COMMENT_NAME_SET', 'INVOICE_DATA_UPDATED', 'SPECIAL_OFFER_SUCCESS', 'PAYMENT_SUCCESS', 'EMAIL_SENT', 'LOGIN_DESCRIPTION', 'ACCOUNT_DELETED',
  'EMAIL_CHANGED', 'LOGIN_APPROVED', 'LOGIN_REFUSED',
] as const
