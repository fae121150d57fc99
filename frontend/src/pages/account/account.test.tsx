import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountData, AccountStanding } from '../../api/content.ts'
import type { PublicEdition } from '../../editions/types.ts'
import type { Session } from '../../session/session.ts'
import { answerCalls, cameFrom, refuse, to, watchLeaving } from '../../test/calls.ts'
import { editions, makeEdition } from '../../test/editions.ts'
import { makePage, makeReader, render, serverHTML } from '../../test/render.tsx'
import { Page } from './account.page.tsx'
import { readChoice, choiceUrl } from './order.ts'

const monthly = { amount: 796, currency: 'EUR', unit: 'week', count: 4, introAmount: 100, introPeriods: 1 } as const
const yearly = { amount: 8900, currency: 'EUR', unit: 'year', count: 1 } as const
const data: AccountData = {
  offer: monthly,
  products: [
    { product_type: 'product_yearly', product_name: 'Ročné', price: '89,00 €', product_order: 2, offer: yearly },
    { product_type: 'product_monthly', product_name: 'Štvortýždňové', price: '7,96 €', product_order: 1, additionnal_text: 'Obľúbené', product_description: '<ul><li>všetko</li></ul>', offer: monthly },
    { product_type: 'no_product', product_name: 'Bez predplatného', price: '0 €', product_order: 3 },
  ],
}

const has = (over: Partial<AccountStanding> = {}): AccountStanding => ({ state: 'none', email: 'citatel@north.example', product: 'no_product', name: 'Sever', ...over })

function open({ url = '/account', standing, edition, products = data.products, order, session = { status: 'unknown' } }: { url?: string; standing?: AccountStanding; edition?: PublicEdition; products?: AccountData['products']; order?: AccountData['order']; session?: Session } = {}) {
  cameFrom(`${window.location.origin}/account/sent`)
  window.history.replaceState(null, '', url)
  const page = makePage<AccountData>({ ...data, products, ...(standing ? { standing } : {}), ...(order ? { order } : {}) }, { route: 'account', url, tier: standing ? 'member' : 'anonymous' })
  // Who reads is not asked for: the server's page, where the session is unknown, is the same.
  return render(<Page page={page} />, { url, session, ...(edition ? { edition } : {}) })
}
const panel = () => within(document.querySelector('section') as HTMLElement)

beforeEach(() => window.history.replaceState(null, '', '/account'))

describe.each(Object.values(editions))('$id', (edition) => {
  const sk = edition.locale === 'sk'

  test('says what is paid today and what from when on, above the button', () => {
    open({ edition })
    const [first, full] = [...document.querySelectorAll('dl > div')].map((row) => row.textContent?.replace(/\s/g, ' '))
    expect(first).toContain('1,00 €')
    expect(full).toMatch(sk ? /^Od \d\d\.\d\d\.20\d\d7,96 € každé 4 týždne$/ : /^Ab dem \d\d\.\d\d\.20\d\d7,96 € alle 4 Wochen$/)
    const button = panel().getByRole('button')
    expect(document.querySelector('dl')!.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  test('a visitor goes to the login, which leads back to the payment of what was chosen', async () => {
    const calls = answerCalls({ '/user/exists': [[200, { exists: false }]], '/fns/user-login': [to('/account/sent?type=thankyou-registration')] })
    const assign = watchLeaving()
    const { user } = open({ edition, url: '/account?referrer=%2F17%2Fmost' })
    await user.click(screen.getByRole('radio', { name: 'Ročné' }))
    await user.type(screen.getByRole('textbox'), 'jana@north.example{Enter}')
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/sent?type=thankyou-registration'))
    expect(calls.map(({ path }) => path)).toEqual(['/user/exists?email=jana%40north.example', '/fns/user-login'])
    expect(calls[1]?.body).toEqual({
      type: 'registration',
      payload: { email: 'jana@north.example', type: 'registration', agreed: 'privacy@1', product_type: 'product_yearly', payment_method: 'card', referrer: '/account?product_type=product_yearly&pay=1&referrer=%2F17%2Fmost' },
    })
  })

  test('a reader goes to the payment, and cannot choose what is had already', async () => {
    const calls = answerCalls({ '/fns/stripe-payment': [to('https://pay.example/1')] })
    const assign = watchLeaving()
    const { user } = open({ edition, standing: has(), url: '/account?referrer=%2F17%2Fmost' })
    expect(screen.queryByRole('radio', { name: 'Bez predplatného' })).toBeNull()
    expect(panel().getByRole('link', { name: sk ? /^Faktúra na firmu/ : /^Rechnung auf ein Unternehmen/ }).getAttribute('href')).toContain('type=invoice_data')
    await user.click(panel().getByRole('button'))
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.example/1'))
    expect(calls[0]?.body).toEqual({ product_type: 'product_monthly', payment_method: 'card', referrer: '/17/most' })
    expect(panel().getByRole('button', { name: sk ? 'Okamih, prosím…' : 'Einen Moment…' })).toHaveProperty('disabled', true)
  })
})

describe('a reader who reads without paying', () => {
  const order = { now: '2026-11-22T12:00:00Z', paidFrom: '2027-03-02T12:00:00Z' }
  const rows = () => [...document.querySelectorAll('dl > div')].map((row) => row.textContent?.replace(/\s/g, ' '))
  const standing = has({ until: order.paidFrom })

  test('is told when the first payment is due, above the button and on it', async () => {
    const { user } = open({ standing, order })
    expect(rows()).toEqual(['Dnes zaplatíte0,00 €', 'Od 02.03.20271,00 € ', 'Od 30.03.20277,96 € každé 4 týždne'])
    expect(panel().getByRole('button', { name: 'Objednať s platbou od 02.03.2027' })).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Ročné' }))
    expect(rows()).toEqual(['Dnes zaplatíte0,00 €', 'Od 02.03.202789,00 € každý rok'])
  })

  test('orders by a click, and not on the way from the login', async () => {
    const calls = answerCalls({ '/fns/stripe-payment': [to('https://pay.example/1')] })
    open({ standing, order, url: '/account?pay=1&product_type=product_monthly' })
    await Promise.resolve()
    expect(calls).toEqual([])
  })
})

test('without scripts the first full price and its day stand above the button, of all that can be ordered', () => {
  const page = makePage<AccountData>({ ...data, standing: has(), order: { now: '2026-11-22T12:00:00Z' } }, { route: 'account', url: '/account', tier: 'member' })
  const html = serverHTML(<Page page={page} />)
  const plain = /<noscript>(.*?)<\/noscript>/s.exec(html)?.[1]?.replaceAll(/\s/g, ' ') ?? ''
  expect(plain).toMatch(/Štvortýždňové.*1,00 €.*Od 20\.12\.2026.*7,96 €.*Ročné.*89,00 €.*Od 22\.11\.2027.*89,00 €/)
  expect(html.indexOf('<noscript>')).toBeLessThan(html.indexOf('type="submit"'))
})

test('both orders are real forms that the choice belongs to', () => {
  const { unmount } = open()
  const form = document.querySelector('form')!
  expect([form.method, form.getAttribute('action')]).toEqual(['post', '/fns/user-login'])
  expect([...document.querySelectorAll('input[type=radio]')].map((radio) => radio.getAttribute('form'))).toEqual([form.id, form.id, form.id])
  unmount()
  open({ standing: has() })
  expect(document.querySelector('form')!.getAttribute('action')).toBe('/fns/stripe-payment')
})

test('the address chooses; the free account asks for no payment; a check that fails is reported and stops nobody', async () => {
  const sendBeacon = vi.fn<(path: string, data: Blob) => boolean>(() => true)
  vi.stubGlobal('navigator', { userAgent: '', sendBeacon })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const calls = answerCalls({ '/user/exists': [[429, { success: false, error: 'TOO_MANY_REQUESTS' }]], '/fns/user-login': [to('/account/sent')] })
  const assign = watchLeaving()
  const { user } = open({ url: '/account?product_type=no_product&referrer=%2F17%2Fmost' })
  expect(screen.getByRole('radio', { name: 'Bez predplatného' })).toHaveProperty('checked', true)
  expect(document.querySelector('dl')).toBeNull()
  await user.type(screen.getByRole('textbox'), 'jana@north.example{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalled())
  expect(calls[1]?.body).toEqual({ type: 'registration', payload: { email: 'jana@north.example', type: 'registration', referrer: '/17/most', agreed: 'privacy@1' } })
  const [path, said] = sendBeacon.mock.calls[0] ?? []
  expect(path).toBe('/fns/logtail')
  expect(await said?.text()).toContain('Registration check error: TOO_MANY_REQUESTS')
  expect(await said?.text()).not.toContain('jana')
})

test('after the login the payment starts by itself, once', async () => {
  const calls = answerCalls({ '/fns/stripe-payment': [to('https://pay.example/1')] })
  const assign = watchLeaving()
  open({ standing: has(), url: '/account?product_type=product_yearly&pay=1&referrer=%2F17%2Fmost' })
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.example/1'))
  expect(calls.map(({ body }) => body)).toEqual([{ product_type: 'product_yearly', payment_method: 'card', referrer: '/17/most' }])
  // Coming back does not lead there again.
  expect(window.location.search).toBe('?product_type=product_yearly&referrer=%2F17%2Fmost')
})

test('a visitor’s address does not start a payment', () => {
  const calls = answerCalls({})
  open({ url: '/account?product_type=product_yearly&pay=1' })
  expect(calls).toEqual([])
})

test.each([
  ['PAYMENT_FAILED', /Pri platbe kartou/],
  ['USER_HAS_SUBSCRIPTION', /už má aktívne predplatné/],
])('%s is told below the button', async (code, words) => {
  answerCalls({ '/fns/stripe-payment': [refuse(code)] })
  const { user } = open({ standing: has() })
  await user.click(panel().getByRole('button'))
  expect((await screen.findByText(words)).getAttribute('role')).toBe('alert')
  expect(panel().getByRole('button', { name: 'Pokračovať k platbe' })).toHaveProperty('disabled', false)
})

test('whose session has ended logs in again and comes back to pay', async () => {
  answerCalls({ '/fns/stripe-payment': [[401, { success: false, error: 'INVALID_TOKEN' }]] })
  const assign = watchLeaving()
  const { user } = open({ standing: has() })
  await user.click(panel().getByRole('button'))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/account/login?referrer=%2Faccount%3Fproduct_type%3Dproduct_monthly%26pay%3D1&status=INVALID_TOKEN'))
})

test('a transfer that was chosen is chosen again after the login', async () => {
  answerCalls({ '/fns/stripe-payment': [[401, { success: false, error: 'INVALID_TOKEN' }]] })
  const assign = watchLeaving()
  const transfers = makeEdition({ flags: { bankTransfer: true } })
  const { user, unmount } = open({ standing: has(), url: '/account?product_type=product_yearly', edition: transfers })
  await user.click(screen.getByRole('radio', { name: /prevodom/i }))
  await user.click(document.querySelector('form#order button') as HTMLElement)
  await waitFor(() => expect(assign).toHaveBeenCalledOnce())
  const back = new URLSearchParams(String(assign.mock.calls[0]?.[0]).split('?')[1]).get('referrer') ?? ''
  expect(back).toContain('by=iban')
  unmount()
  open({ standing: has(), url: back, edition: transfers })
  expect(screen.getByRole('radio', { name: /prevodom/i })).toHaveProperty('checked', true)
})

test('an order of a page of another account is not sent, and the page says who is logged in now', async () => {
  const calls = answerCalls({ '/fns/stripe-payment': [[403, { success: false, error: 'FOREIGN_USER' }]] })
  const { user } = open({ standing: has(), session: makeReader({ userEmail: 'druhy@north.example' }) })
  await user.click(panel().getByRole('button'))
  expect((await screen.findByText(/Teraz je prihlásený účet druhy@north\.example/)).getAttribute('role')).toBe('alert')
  expect(screen.getByRole('link', { name: 'Pokračovať s týmto účtom' }).getAttribute('href')).toBe('/account?product_type=product_monthly')
  expect(calls).toHaveLength(1)
})

test('a subscriber sees what there is instead of a way to pay', () => {
  open({ standing: has({ state: 'subscribed', product: 'product_monthly', name: 'Štvortýždňové', until: '2026-12-11T10:00:00Z' }) })
  expect(panel().getByText(/Štvortýždňové: .* 11. decembra 2026/)).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Vaše predplatné')
  expect(screen.getByText('Vaše predplatné', { selector: 'p' })).toBeTruthy()
  expect(document.querySelector('form')).toBeNull()
})

test('a trial is no subscription: it can be followed by one', () => {
  open({ standing: has({ until: '2026-12-11T10:00:00Z' }) })
  expect(panel().getByText(/Do 11. decembra 2026/)).toBeTruthy()
  expect(panel().getByRole('button', { name: 'Pokračovať k platbe' })).toBeTruthy()
})

test('an account of the old system is shown whom to write to', () => {
  open({ standing: has({ state: 'former' }), products: [] })
  expect(screen.queryByRole('radio')).toBeNull()
  expect(document.querySelector('form')).toBeNull()
  expect(panel().getByRole('link').getAttribute('href')).toBe('mailto:pomoc@north.example')
})

test('nothing on offer, or not what was asked for, is told apart', () => {
  const { unmount } = open({ edition: makeEdition({ flags: { subscriptions: false } }) })
  expect(panel().getByRole('heading').textContent).toBe('Predplatné teraz neponúkame')
  unmount()
  open({ url: '/account?product_type=old&referrer=%2F17%2Fmost', products: [] })
  expect(panel().getByRole('link').getAttribute('href')).toBe('/account?referrer=%2F17%2Fmost')
})

test('what is chosen survives its address', () => {
  const href = (_: unknown, __?: unknown, query?: Record<string, unknown>) => `/account?${new URLSearchParams(Object.entries(query ?? {}).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])))}`
  for (const by of ['iban', '']) {
    const choice = { product: 'product_yearly', referrer: '/17/most?a=1&b=č', by, pay: true }
    expect(readChoice(choiceUrl(href as never, choice))).toEqual(choice)
  }
  for (const foreign of ['%E0%A4%A', '//evil.example', '/%5Cevil.example', '%09//evil.example', '/%09/evil.example', '/%0A/evil.example', 'https://evil.example', 'javascript:alert(1)', '/%01/x'])
    expect(readChoice(`/account?referrer=${foreign}`), foreign).toEqual({ product: '', referrer: '/', by: '', pay: false })
})
