import { api } from './client.ts'

/** Orders a product to be paid by bank transfer; answers where the details are. */
export async function orderTransfer(product: string): Promise<string | undefined> {
  const { data } = await api.POST('/fns/stripe-payment', { body: { product_type: product, payment_method: 'iban' } })
  return data?.data?.redirect
}
