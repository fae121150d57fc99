import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SaleData } from '../api/content.ts'
import { Page } from '../pages/account/sale/sale.page.tsx'
import { answerCalls } from '../test/calls.ts'
import { makePage, makeReader, render } from '../test/render.tsx'
import { keepTyped } from './lost-session.tsx'

const form = (fields: string) => {
  document.body.innerHTML = `<form action="/fns/x">${fields}</form>`
  return document.querySelector('form') as HTMLFormElement
}
const kept = () => JSON.parse(sessionStorage.getItem('typed') ?? 'null') as { reader: number; values: [string, string][] } | null

beforeEach(() => sessionStorage.clear())

describe('what was typed into a form whose session is over', () => {
  test('is kept for its reader, without what the page itself had put in', () => {
    keepTyped(form('<input name="line1" value="Uferweg 3"><input type="hidden" name="user_id" value="7"><textarea name="text">Áno</textarea><input type="radio" name="kind" value="a" checked><input type="radio" name="kind" value="b">'), 7)
    expect(kept()).toMatchObject({ reader: 7, values: [['line1', 'Uferweg 3'], ['text', 'Áno'], ['kind', 'a']] })
  })
  test('is not kept where nobody is named', () => {
    keepTyped(form('<input name="line1" value="Uferweg 3">'), undefined)
    expect(kept()).toBeNull()
  })
})

test('a code that was typed stays, and the login leads back', async () => {
  answerCalls({ '/fns/stripe-quest-payment': [[401, { success: false, error: 'INVALID_TOKEN' }]] })
  const data: SaleData = { step: 'coupon', signedIn: true, referrer: '/', products: [], trial: 0, coupon: { wish: '', product: '' } }
  const { user } = render(<Page page={makePage<SaleData>(data, { route: 'sale', url: '/account/coupon' })} />, { url: '/account/coupon', session: makeReader() })
  const code = document.querySelector('[name=coupon_code]') as HTMLInputElement
  await user.type(code, 'K7QF-2MXD{Enter}')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Ste odhlásení'))
  expect(code.value).toBe('K7QF-2MXD')
  expect(screen.getByRole('alert').querySelector('a')?.getAttribute('href')).toBe('/account/login?referrer=%2Faccount%2Fcoupon')
})
