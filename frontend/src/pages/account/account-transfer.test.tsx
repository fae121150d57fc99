import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountData, AccountStanding } from '../../api/content.ts'
import { answerCalls, cameFrom, to, watchLeaving } from '../../test/calls.ts'
import { makeEdition } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './account.page.tsx'

const monthly = { amount: 796, currency: 'EUR', unit: 'week', count: 4, introAmount: 100, introPeriods: 1 } as const
const data: AccountData = {
  offer: monthly,
  products: [
    { product_type: 'product_yearly', product_name: 'Ročné', price: '89,00 €', product_order: 2, offer: { amount: 8900, currency: 'EUR', unit: 'year', count: 1 } },
    { product_type: 'product_monthly', product_name: 'Štvortýždňové', price: '7,96 €', product_order: 1, offer: monthly },
  ],
}
const has = (over: Partial<AccountStanding> = {}): AccountStanding => ({ state: 'none', email: 'citatel@north.example', product: 'no_product', name: 'Sever', ...over })

function open({ url = '/account', standing, order }: { url?: string; standing: AccountStanding; order?: AccountData['order'] }) {
  cameFrom(`${window.location.origin}/account/sent`)
  window.history.replaceState(null, '', url)
  const page = makePage<AccountData>({ ...data, standing, ...(order ? { order } : {}) }, { route: 'account', url, tier: 'member' })
  return render(<Page page={page} />, { url, session: { status: 'unknown' }, edition: makeEdition({ flags: { bankTransfer: true } }) })
}
const panel = () => within(document.querySelector('section') as HTMLElement)

beforeEach(() => window.history.replaceState(null, '', '/account'))

describe('by transfer', () => {
  test('a year can be paid by transfer, four weeks cannot, and nothing starts by itself where there is a choice', async () => {
    const calls = answerCalls({ '/fns/stripe-payment': [to('/account/transfer?slip=1.x')] })
    const assign = watchLeaving()
    const { user } = open({ standing: has(), url: '/account?product_type=product_yearly&pay=1&referrer=%2F17%2Fmost' })
    expect(calls).toEqual([])
    expect(document.body.textContent).toContain('Predplatné sa obnovuje')
    await user.click(screen.getByRole('radio', { name: /Bankovým prevodom/ }))
    expect(document.body.textContent).toMatch(/Zaplatíte raz\s*\d/)
    expect(document.body.textContent).not.toContain('Predplatné sa obnovuje')
    expect(document.body.textContent).not.toContain('Dnes zaplatíte')
    expect(document.body.textContent).not.toContain('Údaje o karte')
    await user.click(panel().getByRole('button', { name: 'Objednať s povinnosťou platby' }))
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/transfer?slip=1.x'))
    expect(calls[0]?.body).toEqual({ product_type: 'product_yearly', payment_method: 'iban' })
  })

  test('what is chosen for a year does not count for four weeks', async () => {
    const calls = answerCalls({ '/fns/stripe-payment': [to('https://pay.example/1')] })
    watchLeaving()
    const { user } = open({ standing: has(), url: '/account' })
    expect(screen.queryByRole('radio', { name: /Bankovým prevodom/ })).toBeNull()
    document.querySelector<HTMLInputElement>('input[value=iban]')!.checked = true
    await user.click(panel().getByRole('button'))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ product_type: 'product_monthly', payment_method: 'card' })
  })

  test('a year is added to what was given', async () => {
    const until = '2027-03-02T12:00:00Z'
    const { user } = open({ standing: has({ until }), order: { now: '2026-11-22T12:00:00Z', paidFrom: until, given: until } })
    await user.click(screen.getByRole('radio', { name: 'Ročné' }))
    await user.click(screen.getByRole('radio', { name: /^Bankovým prevodom/ }))
    const text = document.body.textContent.replace(/\s/g, ' ')
    expect(text).toContain('Zaplatený rok trvá od 02.03.2027 do 02.03.2028')
    expect(text).toContain('Do 2. marca 2027 čítate zadarmo. Rok, ktorý zaplatíte prevodom, sa pripočíta až potom a potrvá do 2. marca 2028.')
    expect(text).not.toContain('platiť začnete až potom')
  })
})
