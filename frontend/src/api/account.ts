import { api } from './client.ts'
import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

export type LoginKind = Schemas['LoginKind']

export interface MailRequest {
  email: string
  type: LoginKind
  /** Where to go once signed in. */
  referrer: string
  /** What the reader is about to subscribe to. */
  product?: string
  /** What the field holds that people do not see. */
  trap?: string
  /** The documents that the form names. */
  agreed?: string
}

/** Has the mail with link and code sent; answers where that is said. */
export async function requestMail({ email, type, referrer, product, trap, agreed }: MailRequest): Promise<string | undefined> {
  const order = product ? { product_type: product, payment_method: 'card' } : {}
  const { data } = await api.POST('/fns/user-login', { body: { type, payload: { email, referrer, type, ...order, ...(agreed ? { agreed } : {}), ...(trap ? { website: trap } : {}) } } })
  return data?.data?.redirect
}

/** Login for an address that has an account, registration for any other. */
export async function kindOf(email: string): Promise<LoginKind> {
  const { data } = await api.GET('/user/exists', { params: { query: { email } } })
  return data?.exists ? 'login' : 'registration'
}

/** Signs in with the code of the mail; answers where to go. */
export async function signInByCode(body: Schemas['CodeRequest']): Promise<string | undefined> {
  const { data } = await api.POST('/api/login-code-validation', { body })
  return data?.data?.redirect
}

/** Signs in with the link of the mail: where to go, or whose login is to be confirmed first. */
export async function signInByLink(hash: string, confirm: boolean): Promise<Schemas['LinkAnswer']['data']> {
  const { data } = await api.POST('/api/security-login', { body: confirm ? { user_hash: hash, confirm } : { user_hash: hash } })
  return data?.data ?? {}
}

/** Signs in once the reader has said yes on another device: where to go, "pending" until then, "signed_in" where the browser is by now, "over" where nothing was asked for. */
export async function signInByApproval(): Promise<{ to?: string | undefined; status?: string | undefined; number?: number | undefined }> {
  const { data } = await api.POST('/api/login-approval', { body: {} })
  return { to: data?.data?.redirect, status: data?.status, number: data?.number }
}

/** Ends the session; answers where to go. */
export async function signOut(): Promise<string | undefined> {
  const { data } = await api.POST('/api/logout')
  return data?.data?.redirect
}

export type InvoiceData = Schemas['InvoiceData']

/** Sets what stands on the reader's invoices, all of it at once. Answers what is wrong with the VAT number, which is kept all the same. */
export async function setInvoiceData(data: Partial<Record<keyof InvoiceData, string>>) {
  const { data: answer } = await api.POST('/fns/user-data-set', { body: { data: { email: '', ...data } } })
  return answer?.vat_number
}
