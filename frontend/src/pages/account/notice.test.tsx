import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Product } from '../../api/content.ts'
import { makeReader, render } from '../../test/render.tsx'
import { Notice } from './notice.tsx'

const product = (type: string, order: number): Product =>
  ({ product_type: type, product_name: type, product_order: order, price: '', product_description: '', tooltip_text: '', additionnal_text: '' }) as unknown as Product

const calls: { path: string; body: unknown }[] = []
let offer: () => Response

beforeEach(() => {
  calls.length = 0
  offer = () => Response.json({ products: [product('no_product', 1), product('product_yearly', 3), product('product_monthly', 2)] })
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    this.open = true
  })
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    this.open = false
  })
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url, 'https://north.example')
    calls.push({ path: pathname, body: request.method === 'POST' ? await request.json() : null })
    return pathname === '/fns/stripe-products-offer' ? offer() : Response.json({ success: true, data: { redirect: '#paid' } })
  })
})

function show(over: Parameters<typeof makeReader>[0] = {}) {
  const onDone = vi.fn()
  const session = makeReader(over)
  if (session.status !== 'reader') throw new Error('no reader')
  return { onDone, ...render(<Notice reader={session.reader} onDone={onDone} />, { session, url: '/politika?reminder' }) }
}

test('a trial that ends names its day, an end that was says so', () => {
  const { unmount } = show({ hasTrial: true, userSubscription: Date.parse('2026-11-24T10:00:00Z') / 1000 })
  expect(screen.getByRole('heading', { hidden: true }).textContent).toContain('24.\u00a0novembra\u00a02026')
  unmount()
  const ended = show({ expirationReminder: true })
  expect(screen.getByRole('heading', { hidden: true }).textContent).toBe('Váš prístup sa skončil')
  ended.unmount()
  show() // asked for by the address, without any access before
  expect(screen.getByRole('heading', { hidden: true }).textContent).toBe('Čítajte ďalej s predplatným')
})

test('it offers what can be bought, and leads to the payment of what was chosen and back to this page', async () => {
  const { user } = show()
  const radios = await screen.findAllByRole('radio', { hidden: true })
  expect(radios.map((radio) => radio.getAttribute('value'))).toEqual(['product_monthly', 'product_yearly'])
  await user.click(radios[1]!)
  await user.click(screen.getByRole('button', { name: 'Pokračovať k platbe', hidden: true }))
  await waitFor(() => expect(calls.at(-1)).toEqual({ path: '/fns/stripe-payment', body: { user_id: 7, product_type: 'product_yearly', payment_method: 'card', referrer: '/politika' } }))
})

test('above the button that orders stands what is paid, when, and that it renews', async () => {
  const priced = { ...product('product_monthly', 2), offer: { amount: 796, currency: 'EUR', unit: 'week', count: 4, introAmount: 100 } }
  offer = () => Response.json({ products: [priced] })
  show()
  await screen.findAllByRole('radio', { hidden: true })
  const text = () => screen.getByRole('dialog', { hidden: true }).textContent.replaceAll('\u00a0', ' ')
  await waitFor(() => expect(text()).toMatch(/Dnes zaplatíte\s*1,00 €\s*Od [\d. ]+7,96 € každé 4 týždne/))
  expect(text()).toContain('Predplatné sa obnovuje, kým ho nezrušíte')
})

test('closed, it tells the server and goes', async () => {
  const { user, onDone } = show()
  await screen.findAllByRole('radio', { hidden: true })
  await user.click(screen.getByRole('button', { name: 'Teraz nie', hidden: true }))
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(calls.at(-1)).toEqual({ path: '/fns/update-user-metadata', body: { metadata: [{ meta_key: 'subscription_expiration_reminder', meta_value: 'false' }], user_id: 7 } })
})

test('an offer that does not come can be asked for again', async () => {
  offer = () => Response.json({ error: 'ERROR' }, { status: 500 })
  const { user } = show()
  const again = await screen.findByRole('button', { name: 'Skúsiť znova', hidden: true })
  offer = () => Response.json({ products: [product('product_monthly', 2)] })
  await user.click(again)
  expect(await screen.findAllByRole('radio', { hidden: true })).toHaveLength(1)
})
