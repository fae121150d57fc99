import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentSuccessData } from '../../api/content.ts'
import { answerCalls } from '../../test/calls.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page as Failure } from './failure.page.tsx'
import { Page as Success } from './success.page.tsx'
import { delayOf } from './use-payment-status.ts'

const url = '/payment/success?session_id=cs_1'
const success = (data: Partial<PaymentSuccessData>) => makePage<PaymentSuccessData>({ state: 'pending', referrer: '/17/most', signedIn: true, ...data }, { route: 'paymentSuccess', url })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  window.history.replaceState(null, '', url)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each(Object.values(editions))('$id', (edition) => {
  const sk = edition.locale === 'sk'

  test('a confirmed payment leads back to the article and says so there', () => {
    render(<Success page={success({ state: 'confirmed', endsAt: '2026-12-19T10:00:00Z' })} />, { edition })
    expect(screen.getByText(sk ? /19\. decembra 2026/ : /19\. Dezember 2026/)).toBeTruthy()
    const back = screen.getByRole('link')
    expect(back.getAttribute('href')).toBe('/17/most?status=PAYMENT_SUCCESS')
    // What may be read has changed: the page is loaded whole.
    expect(back.hasAttribute('data-native')).toBe(true)
  })

  test('a confirmed payment leads on by itself after it was seen, and not in the background', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined)
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    const { unmount } = render(<Success page={success({ state: 'confirmed' })} />, { edition })
    await pass(60_000)
    expect(replace).not.toHaveBeenCalled()
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(4999)
    expect(replace).not.toHaveBeenCalled()
    await pass(1)
    expect(replace).toHaveBeenCalledExactlyOnceWith('/17/most?status=PAYMENT_SUCCESS')
    unmount()
    render(<Success page={success({})} />, { edition })
    await pass(1500)
    expect(replace).toHaveBeenCalledTimes(1)
  })

  test('whoever does something on the page has the time that it takes', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined)
    render(<Success page={success({ state: 'confirmed' })} />, { edition })
    const goes = sk ? /O chvíľu/ : /Gleich geht es/
    expect(screen.getByText(goes)).toBeTruthy()
    await pass(4000)
    fireEvent.keyDown(document.body, { key: 'Tab' })
    await pass(60_000)
    expect(replace).not.toHaveBeenCalled()
    expect(screen.queryByText(goes)).toBeNull()
    expect(screen.getByRole('link').getAttribute('href')).toBe('/17/most?status=PAYMENT_SUCCESS')
  })

  test('a payment that is on its way is asked for until it is confirmed', async () => {
    const calls = answerCalls({ '/fns/payment-status': [[200, { state: 'pending' }], [503, {}], [200, { state: 'confirmed', endsAt: '2026-12-19T10:00:00Z' }]] })
    render(<Success page={success({})} />, { edition })
    expect(screen.queryByRole('link')).toBeNull()
    await pass(1999)
    expect(calls).toHaveLength(0)
    await pass(1)
    expect(calls.map(({ path }) => path)).toEqual(['/fns/payment-status?session_id=cs_1'])
    await pass(2500)
    await pass(3200)
    expect(screen.getByText(sk ? /19\. decembra 2026/ : /19\. Dezember 2026/)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    await pass(60_000)
    expect(calls).toHaveLength(3)
  })
})

test('nobody waits for ever: after a while the reader is let go, then nothing more is asked', async () => {
  const calls = answerCalls({ '/fns/payment-status': [[200, { state: 'pending' }]] })
  render(<Success page={success({})} />)
  for (let i = 0; i < 8; i++) await pass(15_000)
  expect(screen.getByText(/Neplaťte, prosím, druhýkrát/)).toBeTruthy()
  expect(screen.getByRole('link').getAttribute('href')).toBe('/17/most')
  for (let i = 0; i < 60; i++) await pass(15_000)
  expect(calls).toHaveLength(40)
})

test('a payment that nobody knows leads to people', () => {
  const calls = answerCalls({})
  render(<Success page={success({ state: 'unknown' })} />)
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['mailto:pomoc@north.example', '/account'])
  expect(calls).toEqual([])
})

test('a payment that was received leads whoever is not logged in to the login, and from there back', () => {
  render(<Success page={success({ state: 'signedOut', signedIn: false })} />)
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/account/login?referrer=%2F17%2Fmost%3Fstatus%3DPAYMENT_SUCCESS'])
  expect(screen.queryByText(/nenašli/)).toBeNull()
})

test('another account is logged out first', () => {
  const { container } = render(<Success page={success({ state: 'signedOut' })} />)
  const form = container.querySelector('form')
  expect([form?.method, form?.getAttribute('action'), form?.querySelector('input')?.value]).toEqual([
    'post',
    '/api/logout',
    '/account/login?referrer=%2F17%2Fmost%3Fstatus%3DPAYMENT_SUCCESS',
  ])
})

test('an order that was not paid leads back to the choice', () => {
  render(<Success page={success({ state: 'unpaid' })} />)
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/account?referrer=%2F17%2Fmost'])
})

test('a failed payment can be tried again', () => {
  render(<Failure />)
  expect(screen.getByRole('link', { name: 'Skúsiť znova' })).toHaveProperty('pathname', '/account')
})

test('the questions come ever later, and never more than 15 s apart', () => {
  expect([0, 1, 2].map(delayOf)).toEqual([2000, 2500, 3125])
  expect(delayOf(100)).toBe(15_000)
})
