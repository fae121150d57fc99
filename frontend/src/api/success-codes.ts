// The codes of ?status= that are no refusals, apart from those: every page has these, few have all.
export const successCodes = [
  'COMMENT_NAME_SET', 'INVOICE_DATA_UPDATED', 'SPECIAL_OFFER_SUCCESS', 'PAYMENT_SUCCESS', 'EMAIL_SENT', 'LOGIN_DESCRIPTION', 'ACCOUNT_DELETED',
  'EMAIL_CHANGED', 'LOGIN_APPROVED', 'LOGIN_REFUSED', 'VAT_NUMBER_INVALID', 'VAT_NUMBER_FOREIGN', 'VAT_NUMBER_UNKNOWN', 'VAT_NUMBER_UNANSWERED',
] as const
