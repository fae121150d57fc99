import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { SaleData } from '../../../api/content.ts'
import type { PublicEdition } from '../../../editions/types.ts'
import { answerCalls, refuse, to, watchLeaving } from '../../../test/calls.ts'
import { editions } from '../../../test/editions.ts'
import { makePage, render } from '../../../test/render.tsx'
import { Page } from './sale.page.tsx'

const product = { product_type: 'product_yearly', product_name: 'Ročné', price: '89,00 €', product_order: 1 } as const
const gift = { state: 'form', today: '2026-11-21', last: '2027-11-21' } as const
const statement = { statement: '1.x', name: 'Eva', email: 'eva@north.example', contract: 'gift', own: false } as const

function open(data: Partial<SaleData> & Pick<SaleData, 'step'>, edition?: PublicEdition) {
  const url = `/account/${data.step}`
  const all = { signedIn: false, referrer: '/', products: [product], trial: 0, ...data }
  return render(<Page page={makePage<SaleData>(all, { route: 'sale', url })} />, { url, ...(edition ? { edition } : {}) })
}
const input = (field: string) => document.querySelector(`[name=${field}]`) as HTMLInputElement
const noteOf = (field: string) => document.getElementById(input(field).getAttribute('aria-describedby') ?? '')?.textContent
const form = () => document.querySelector('form') as HTMLFormElement

describe.each(Object.values(editions))('$id', (edition) => {
  test('a code that opens nothing says so at its field and stays there', async () => {
    const calls = answerCalls({ '/fns/stripe-quest-payment': [refuse('INVALID_COUPON_CODE', 'coupon_code')] })
    const { user } = open({ step: 'coupon', coupon: { wish: '', product: '' }, signedIn: true }, edition)
    await user.type(input('coupon_code'), ' k7qf-2mxd {Enter}')
    await waitFor(() => expect(noteOf('coupon_code')).toMatch(edition.locale === 'sk' ? /nie je platný/ : /ung/))
    expect([input('coupon_code').value.trim(), document.activeElement]).toEqual(['k7qf-2mxd', input('coupon_code')])
    expect(calls[0]?.body).toMatchObject({ coupon_code: 'k7qf-2mxd' })
  })

  test('every step has a heading and a plain form', () => {
    for (const data of [{ step: 'coupon', coupon: { wish: '', product: '' } }, { step: 'campaign' }, { step: 'gift', gift }, { step: 'withdrawal', withdrawal: { ...statement, state: 'form' } }] as const) {
      const { unmount } = open(data, edition)
      expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('')
      expect([form().getAttribute('method'), form().getAttribute('action')?.startsWith('/fns/')]).toEqual(['post', true])
      unmount()
    }
  })
})

test('a code that was typed before the login needs one click, and a refusal is said', async () => {
  const calls = answerCalls({ '/fns/stripe-quest-payment': [refuse('INVALID_COUPON_CODE', 'coupon_code'), to('/account/coupon?done=1')] })
  const assign = watchLeaving()
  const { user } = open({ step: 'coupon', signedIn: true, coupon: { wish: '1.x', product: 'Ročné' } })
  expect(input('coupon_code')).toBeNull()
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/coupon?done=1'))
  expect(calls[1]?.body).toMatchObject({ wish: '1.x' })
})

test('a visitor who takes an offer gives an address', async () => {
  const calls = answerCalls({ '/fns/stripe-quest-payment': [to('/account/sent')] })
  const assign = watchLeaving()
  const { user } = open({ step: 'campaign' })
  await user.type(input('user_email'), 'eva@north.example{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/sent'))
  expect(calls[0]?.body).toMatchObject({ user_email: 'eva@north.example', product_type: 'product_yearly' })
})

test('a gift is sent with all that was typed', async () => {
  const calls = answerCalls({ '/fns/gift-payment': [to('/pay')] })
  const assign = watchLeaving()
  const { user } = open({ step: 'gift', gift })
  await user.type(input('buyer_email'), 'mara@north.example')
  await user.type(input('message'), 'Ahoj')
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/pay'))
  expect(calls[0]?.body).toEqual({ product_type: 'product_yearly', buyer_email: 'mara@north.example', buyer_name: '', recipient_email: '', message: 'Ahoj', send_on: '' })
})

test('the card shows its code, and a gift that is not there leads to a new one', () => {
  const { unmount } = open({ step: 'gift', gift: { ...gift, state: 'ready', until: '2029-11-20T22:59:59Z', card: { code: 'K7QF-2MXD-9TRW-4HZB-8VNE', product: 'Ročné', from: 'Mara', message: 'Ahoj', address: 'north.example/account/coupon' } } })
  expect(screen.getByText('K7QF-2MXD-9TRW-4HZB-8VNE')).toBeTruthy()
  unmount()
  open({ step: 'gift', gift: { ...gift, state: 'gone' } })
  expect(screen.getByRole('link').getAttribute('href')).toBe('/account/gift')
})

test('a withdrawal is shown before it is sent, and with its time after that', () => {
  const { unmount } = open({ step: 'withdrawal', withdrawal: { ...statement, state: 'confirm' } })
  expect([form().getAttribute('action'), input('statement').value]).toEqual(['/fns/withdrawal-confirm', '1.x'])
  expect(screen.getByText(/Eva, eva@north\.example/)).toBeTruthy()
  unmount()
  open({ step: 'withdrawal', withdrawal: { ...statement, state: 'received', receivedAt: '2026-11-21T18:48:00Z' } })
  expect(screen.getByText(/21\.11\.2026 19:48.*jedným kliknutím/)).toBeTruthy()
})

test('a withdrawal that came too late says so, keeps what was typed and is sent by one more click', () => {
  const { unmount } = open({ step: 'withdrawal', withdrawal: { ...statement, state: 'late' } })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Vyhlásenie sme neodoslali')
  expect(screen.getByText(/Eva, eva@north\.example/)).toBeTruthy()
  expect(['again', 'statement', 'name', 'email', 'contract'].map((name) => input(name).value)).toEqual(['1', '1.x', 'Eva', 'eva@north.example', 'gift'])
  expect([form().getAttribute('action'), form().method]).toEqual(['/fns/withdrawal-confirm', 'post'])
  unmount()
  // A day later the statement is no longer stored.
  open({ step: 'withdrawal', withdrawal: { ...statement, name: '', email: '', state: 'late' } })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Vyhlásenie sme neodoslali')
  expect([form().getAttribute('action'), input('name').value]).toEqual(['/fns/withdrawal', ''])
})

test('the second step takes along what was typed', () => {
  open({ step: 'withdrawal', withdrawal: { ...statement, state: 'confirm' } })
  expect(['name', 'email', 'contract'].map((name) => input(name).value)).toEqual(['Eva', 'eva@north.example', 'gift'])
})

test('a withdrawal is confirmed from the mailbox by a button, and not by looking', () => {
  const calls = answerCalls({})
  const { unmount } = open({ step: 'withdrawal', withdrawal: { ...statement, state: 'mailbox', receivedAt: '2026-11-21T18:48:00Z' } })
  expect([form().getAttribute('action'), form().method, input('statement').value, calls.length]).toEqual(['/fns/withdrawal-confirm', 'post', '1.x', 0])
  expect(screen.getByText(/Neboli ste to vy/)).toBeTruthy()
  unmount()
  open({ step: 'withdrawal', withdrawal: { ...statement, state: 'confirmed', receivedAt: '2026-11-21T18:48:00Z' } })
  expect([document.querySelector('form'), screen.getByRole('heading', { level: 1 }).textContent]).toEqual([null, 'Odstúpenie ste potvrdili'])
})

test.each([
  ['coupon', { coupon: { wish: '', product: '' } }, { coupon_code: 'K7QF', user_email: 'mara@north.example' }, 'coupon_code', 'INVALID_COUPON_CODE'],
  ['campaign', {}, { user_email: 'mara' }, 'user_email', 'INVALID_EMAIL'],
  ['gift', { gift }, { buyer_email: 'mara@north.example', buyer_name: 'Mara', recipient_email: 'eva', message: 'Ahoj\nEva', send_on: '2026-12-24' }, 'recipient_email', 'INVALID_EMAIL'],
  ['withdrawal', { withdrawal: { ...statement, state: 'form' } }, { name: 'Eva', email: 'eva' }, 'email', 'INVALID_EMAIL'],
] as const)('a plain form of %s that was refused has all that was typed, and why at its field', (step, data, values, field, code) => {
  open({ step, ...data, typed: { values, field, code } })
  for (const [name, text] of Object.entries(values)) expect([name, input(name).value]).toEqual([name, text])
  expect(noteOf(field)).not.toBe('')
  expect(Object.keys(values).filter((name) => input(name).hasAttribute('aria-invalid'))).toEqual([field])
})

test('the choices of a refused form stay as they were made', () => {
  const monthly = { ...product, product_type: 'product_monthly' } as const
  const { unmount } = open({ step: 'gift', gift, products: [monthly, product], typed: { values: { product_type: 'product_monthly' }, field: 'buyer_email', code: 'INVALID_EMAIL' } })
  expect(new FormData(form()).get('product_type')).toBe('product_monthly')
  unmount()
  open({ step: 'withdrawal', withdrawal: { ...statement, state: 'form' }, typed: { values: { contract: 'gift' }, field: 'name', code: 'INVALID_ARGS' } })
  expect(new FormData(form()).get('contract')).toBe('gift')
})

test('what was wrong is said until the form is sent again', async () => {
  answerCalls({ '/fns/gift-payment': [refuse('INVALID_ARGS', 'message')] })
  const { user } = open({ step: 'gift', gift, typed: { values: { buyer_email: 'mara@north.example', recipient_email: 'eva@north.example' }, field: 'recipient_email', code: 'INVALID_EMAIL' } })
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(input('message').getAttribute('aria-invalid')).toBe('true'))
  expect(input('recipient_email').getAttribute('aria-invalid')).toBeNull()
})

const transfer = {
  state: 'open', number: 'PF-2026-000001', product: 'Ročné', amount: '89,00 €', vat: 'included', payee: 'Sever, s. r. o.', bank: 'Banka', iban: 'SK31 1200', bic: 'TESTSKBX', reference: '2600000420', kind: 'symbol',
  due: '05.12.2026', last: '19.12.2026', code: '/fns/transfer-code?slip=1.x', format: 'bysquare', document: '/account/invoice/PF-2026-000001',
} as const

test('a transfer has its code, and in words all that the code has', () => {
  open({ step: 'transfer', transfer })
  const code = screen.getByRole('img')
  expect([code.getAttribute('src'), code.getAttribute('alt')]).toEqual(['/fns/transfer-code?slip=1.x', expect.stringMatching(/89,00 €.*SK31 1200.*2600000420/)])
  expect([...document.querySelectorAll('dd')].map((dd) => dd.textContent)).toEqual(['Sever, s. r. o.', 'SK31 1200', 'TESTSKBX', 'Banka', '89,00 €', '2600000420', '05.12.2026', 'Ročné, PF-2026-000001'])
  expect(screen.getByRole('link').getAttribute('href')).toBe('/account/invoice/PF-2026-000001')
})

test.each([
  ['paid', 'Vaša platba prišla', '/'],
  ['void', 'Táto objednávka zanikla', '/account'],
  ['reversed', 'Táto platba je zrušená', '/account'],
] as const)('an order that is %s asks for no money', (state, title, to) => {
  open({ step: 'transfer', transfer: { ...transfer, state, code: '' } })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
  expect([screen.getByRole('link').getAttribute('href'), screen.queryByRole('img'), document.querySelector('dl')]).toEqual([to, null, null])
})

test('a transfer without a code and for another than its reader still says what to pay', () => {
  open({ step: 'transfer', transfer: { ...transfer, code: '', document: '' } })
  expect([screen.queryByRole('img'), screen.queryByRole('link'), screen.getByText('2600000420').closest('dd') !== null]).toEqual([null, null, true])
})
