import type { AccountData, Product } from '../../api/content.ts'
import { queryValue } from '../../app/query.ts'
import type { Site } from '../../editions/site.ts'

type ProductType = Product['product_type']

/** What an address asks the account page for. */
export interface Choice {
  product: string
  referrer: string
  /** "iban": by bank transfer; by card otherwise. */
  by?: string
  /** The reader has just signed in to pay: go on to it. */
  pay: boolean
}

/** A path of this site, else the front page: as the server has it, which no form has to rely on. */
const ownPath = (text: string) => (/^\/(?![/\\])[^\\\s]*$/.test(text) && ![...text].some((c) => c < ' ') ? text : '/')

export const readChoice = (url: string): Choice => ({
  product: queryValue(url, 'product_type'),
  referrer: ownPath(queryValue(url, 'referrer')),
  by: queryValue(url, 'by'),
  pay: queryValue(url, 'pay') !== '',
})

/** The address that carries a choice over the login, back to the account page and on to the payment. */
export const choiceUrl = (href: Site['href'], { product, referrer, by, pay }: Choice) =>
  href('account', {}, { product_type: product || undefined, by: by === 'iban' ? by : undefined, pay: pay ? 1 : undefined, referrer: referrer === '/' ? undefined : referrer })

/** In their order; who has an account needs none to choose. */
export function offered(products: AccountData['products'], signedIn: boolean): Product[] {
  return products.filter(({ product_type }) => !signedIn || product_type !== 'no_product').sort((a, b) => a.product_order - b.product_order)
}

/** The product that the address names, else the first. */
export const preselected = (products: Product[], chosen: string): ProductType | undefined =>
  (products.find(({ product_type }) => product_type === chosen) ?? products[0])?.product_type

/** The form that the products and the button below them belong to. */
export const orderForm = 'order'
