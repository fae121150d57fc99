import { api } from './client.ts'
import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

export type PaymentState = Schemas['PaymentState']

/** Starts a payment by card; answers where to pay. */
export async function startPayment(product: string, referrer: string, named: { user_id?: number } = {}): Promise<string | undefined> {
  const { data } = await api.POST('/fns/stripe-payment', { body: { ...named, product_type: product, payment_method: 'card', referrer } })
  return data?.data?.redirect
}

/** Takes an offer or redeems a code; answers where to go. */
export async function takeOffer(request: Schemas['OfferRequest']): Promise<string | undefined> {
  const { data } = await api.POST('/fns/stripe-quest-payment', { body: request })
  return data?.data?.redirect
}

/** Opens the checkout of a gift; answers where to pay. */
export async function buyGift(gift: Schemas['GiftRequest']): Promise<string | undefined> {
  const { data } = await api.POST('/fns/gift-payment', { body: gift })
  return data?.data?.redirect
}

/** The first step of a withdrawal from a contract; answers where the second one is. */
export async function stateWithdrawal(statement: Schemas['WithdrawalStatement']): Promise<string | undefined> {
  const { data } = await api.POST('/fns/withdrawal', { body: statement })
  return data?.data?.redirect
}

/** What is known of a payment. Asking grants nothing. */
export async function paymentStatus(session: string): Promise<Schemas['PaymentStatus']> {
  const { data } = await api.GET('/fns/payment-status', { params: { query: { session_id: session } } })
  return data ?? { state: 'unknown' }
}
