import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AccountData } from '../../api/content.ts'
import { answerCalls, cameFrom, to, watchLeaving } from '../../test/calls.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './account.page.tsx'

const offer = { amount: 8900, currency: 'EUR', unit: 'year', count: 1 } as const
const url = '/account?product_type=product_yearly&pay=1'
const data: AccountData = {
  offer,
  products: [{ product_type: 'product_yearly', product_name: 'Ročné', price: '89,00 €', product_order: 2, offer }],
  standing: { state: 'none', email: 'citatel@north.example', product: 'no_product', name: 'Sever' },
}

test.each(['', 'https://evil.example/', 'not an address'])('led to from "%s", no payment starts by itself', async (referrer) => {
  const calls = answerCalls({ '/fns/stripe-payment': [to('https://pay.example/1')] })
  const assign = watchLeaving()
  cameFrom(referrer)
  window.history.replaceState(null, '', url)
  const { user } = render(<Page page={makePage<AccountData>(data, { route: 'account', url, tier: 'member' })} />, { url, session: { status: 'unknown' } })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(calls).toEqual([])
  await user.click(screen.getByRole('button', { name: /Prejsť|Zaplatiť|platb/i }))
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://pay.example/1'))
})
