import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AccountData } from '../../api/content.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render, serverHTML } from '../../test/render.tsx'
import { Page } from './account.page.tsx'

const yearly = { product_type: 'product_yearly', product_name: 'Ročné', price: '89,00 €', product_order: 1, offer: { amount: 8900, currency: 'EUR', unit: 'year', count: 1 } } as const
const monthly = { product_type: 'product_monthly', product_name: 'Štvortýždňové', price: '7,96 €', product_order: 2, offer: { amount: 796, currency: 'EUR', unit: 'week', count: 4 } } as const
const page = (url: string, products: AccountData['products'] = [yearly]) => {
  window.history.replaceState(null, '', url)
  const data: AccountData = { offer: monthly.offer, products, standing: { state: 'none', email: 'citatel@north.example', product: 'no_product', name: 'Sever' } }
  return <Page page={makePage(data, { route: 'account', url, tier: 'member' })} />
}

test.each([
  ['sk', 'Platbu ste zrušili, nič sme nestrhli.'],
  ['at', 'Sie haben die Zahlung abgebrochen. Es wurde nichts abgebucht.'],
] as const)('in %s, who turned back at the payment is told so on the offer, in the HTML of the server too, with the plan chosen', (edition, words) => {
  const url = '/account?product_type=product_yearly&cancelled=1&referrer=%2F17%2Fmost'
  render(page(url), { edition: editions[edition], url })
  expect(screen.getByText(words).getAttribute('role')).toBe('status')
  expect(screen.getByRole('radio')).toHaveProperty('checked', true)
  expect(serverHTML(page(url), { edition: editions[edition], url })).toContain(words)
})

test('who did not turn back is told nothing', () => {
  render(page('/account?product_type=product_yearly'))
  expect(screen.queryByText(/zrušili/)).toBeNull()
})

test('a plan says what it saves in a year', () => {
  render(page('/account', [{ ...yearly, saving: 14 }, monthly]))
  expect(screen.getAllByText(/Ušetríte/).map((node) => node.textContent?.replace(/\s/g, ' '))).toEqual(['Ušetríte 14 %'])
})
