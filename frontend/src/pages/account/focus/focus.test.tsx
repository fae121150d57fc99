import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { FocusData, FocusInvoiceData } from '../../../api/content.ts'
import type { PublicEdition } from '../../../editions/types.ts'
import { answerCalls, refuse, watchLeaving } from '../../../test/calls.ts'
import { editions } from '../../../test/editions.ts'
import { makePage, makeReader, render } from '../../../test/render.tsx'
import { Page } from './focus.page.tsx'
import { names } from './invoice-inputs.ts'

const values = { client_type: 'individual', name: '', email: 'eva@north.example', line1: '', line2: '', city: '', postal_code: '', country: '', company_name: '', company_ICO: '', company_DIC: '', company_IC_DPH: '' } as const
const countries = [{ code: 'AT', name: 'Rakúsko' }, { code: 'SK', name: 'Slovensko' }]
const done: [number, unknown] = [200, { success: true }]

function open(data: FocusData, { edition, status = '' }: { edition?: PublicEdition; status?: string } = {}) {
  const url = `/account/focus?type=${data.type}${status && `&status=${status}`}`
  return render(<Page page={makePage(data, { route: 'focus', url, tier: 'member' })} />, { url, session: makeReader(), ...(edition ? { edition } : {}) })
}
const name = (value = ''): FocusData => ({ type: 'comment_name', comment_name: { value, has: false } })
const bill = (over: Partial<FocusInvoiceData> = {}): FocusData => ({ type: 'invoice_data', invoice_data: { values, problems: [], countries, vatExample: '', ...over } })
const input = (field: string) => document.querySelector(`[name=${field}]`) as HTMLInputElement
const noteOf = (field: string) => document.getElementById(input(field).getAttribute('aria-describedby') ?? '')?.textContent

describe.each(Object.values(editions))('$id', (edition) => {
  const sk = edition.locale === 'sk'

  test.each([
    ['COMMENT_NAME_EXISTS', sk ? /už niekto používa/ : /bereits vergeben/],
    ['INVALID_COMMENT_NAME', sk ? /písmen/ : /Buchstaben/],
  ] as const)('a name that is refused with %s says so at its field and stays there', async (code, says) => {
    answerCalls({ '/fns/user-comment-name': [refuse(code, 'comment_name')] })
    const { user } = open(name(), { edition })
    await user.type(input('comment_name'), 'Jana!{Enter}')
    await waitFor(() => expect(noteOf('comment_name')).toMatch(says))
    expect([input('comment_name').value, document.activeElement?.getAttribute('name'), input('comment_name').getAttribute('aria-invalid')]).toEqual(['Jana!', 'comment_name', 'true'])
  })

  test('country and postal code say what is wrong with them, each at its own field', async () => {
    answerCalls({ '/fns/user-data-set': [refuse('INVALID_INVOICE_DATA', 'postal_code'), refuse('INVALID_INVOICE_DATA', 'country')] })
    const { user } = open(bill(), { edition })
    await user.type(input('postal_code'), '99{Enter}')
    await waitFor(() => expect(noteOf('postal_code')).toMatch(sk ? /PSČ vo vybranej krajine/ : /Postleitzahl gibt es im gewählten Land/))
    expect(document.activeElement).toBe(input('postal_code'))
    await user.click(screen.getByRole('button'))
    await waitFor(() => expect(noteOf('country')).toMatch(sk ? /krajinu nepoznáme/ : /Land kennen wir nicht/))
    expect([document.activeElement, input('postal_code').value]).toEqual([input('country'), '99'])
  })
})

test('a name that is taken leads to the profile with the message', async () => {
  const calls = answerCalls({ '/fns/user-comment-name': [done] })
  const assign = watchLeaving()
  const { user } = open(name('Jana'))
  await user.type(input('comment_name'), '.N {Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/profile?status=COMMENT_NAME_SET'))
  expect(calls[0]?.body).toEqual({ comment_name: 'Jana.N' })
})

test('an empty name is not sent', async () => {
  const calls = answerCalls({})
  const { user } = open(name())
  await user.click(screen.getByRole('button'))
  expect([calls.length, noteOf('comment_name')]).toEqual([0, expect.stringMatching(/písmen/)])
})

test('a form that came back without scripts has the reason at its field, until it is sent again', async () => {
  open(name('Jana!'), { status: 'INVALID_COMMENT_NAME' })
  expect([input('comment_name').value, noteOf('comment_name')]).toEqual(['Jana!', expect.stringMatching(/písmen/)])
})

test('both are real forms', () => {
  const { unmount } = open(name())
  expect([document.forms[0]?.method, document.forms[0]?.getAttribute('action')]).toEqual(['post', '/fns/user-comment-name'])
  unmount()
  open(bill())
  expect([document.forms[0]?.method, document.forms[0]?.getAttribute('action')]).toEqual(['post', '/fns/user-data-set'])
  expect(names.every((field) => input(field) && document.querySelector(`label[for="${input(field).id}"]`))).toBe(true)
})

test('billing data goes out whole, and leads to the profile', async () => {
  const calls = answerCalls({ '/fns/user-data-set': [done] })
  const assign = watchLeaving()
  const { user } = open(bill({ values: { ...values, line1: 'Hlavná 1' } }))
  await user.click(screen.getByRole('radio', { name: 'Právnická osoba' }))
  await user.type(input('company_name'), 'Nová s.r.o.')
  await user.selectOptions(input('country'), 'SK')
  await user.type(input('postal_code'), '81101{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/profile?status=INVOICE_DATA_UPDATED'))
  expect(calls[0]?.body).toEqual({ data: { ...values, client_type: 'legal_entity', company_name: 'Nová s.r.o.', line1: 'Hlavná 1', country: 'SK', postal_code: '81101' } })
})

test.each(['VAT_NUMBER_INVALID', 'VAT_NUMBER_FOREIGN', 'VAT_NUMBER_UNKNOWN', 'VAT_NUMBER_UNANSWERED'])('%s of what was saved leads back to the form, which says so', async (code) => {
  answerCalls({ '/fns/user-data-set': [[200, { success: true, vat_number: code }]] })
  const assign = watchLeaving()
  const { user, unmount } = open(bill({ values: { ...values, client_type: 'legal_entity', company_IC_DPH: 'RO1', country: 'RO' } }))
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(`/account/focus?type=invoice_data&status=${code}`))
  unmount()
  open(bill({ values: { ...values, client_type: 'legal_entity', company_IC_DPH: 'RO1', country: 'RO' }, problems: [{ field: 'company_IC_DPH', code }], vatExample: 'RO160796' }), { status: code })
  expect(noteOf('company_IC_DPH')).toMatch(code === 'VAT_NUMBER_INVALID' ? /RO160796/ : /DPH/)
})

test('an address of e-mail is required before anything is sent', async () => {
  const calls = answerCalls({})
  const { user } = open(bill({ values: { ...values, email: '' } }))
  await user.click(screen.getByRole('button'))
  expect([calls.length, document.activeElement]).toEqual([0, input('email')])
  expect(noteOf('email')).toMatch(/e-mail/i)
})

test('what a plain form was refused with is shown at each field, with all that was typed', () => {
  open(bill({ values: { ...values, email: 'eva', country: 'XX', postal_code: '1' }, problems: [{ field: 'email', code: 'INVALID_EMAIL' }, { field: 'country', code: 'INVALID_INVOICE_DATA' }, { field: 'postal_code', code: 'INVALID_INVOICE_DATA' }] }))
  expect(['email', 'country', 'postal_code'].map((field) => input(field).value)).toEqual(['eva', 'XX', '1'])
  expect(['email', 'country', 'postal_code', 'city'].map((field) => input(field).getAttribute('aria-invalid'))).toEqual(['true', 'true', 'true', null])
  expect(noteOf('country')).toMatch(/krajinu nepoznáme/)
})

const year = { product: 'product_yearly', name: 'Ročné', price: '89,00 € každý rok', now: true, amount: 8850, due: '88,50 €', at: '2026-11-21T10:00:00Z' }
const plan = (over: Partial<NonNullable<FocusData['plan']>> = {}): FocusData => ({ type: 'plan', plan: { plans: [year], away: false, ...over } })
const sent = () => Object.fromEntries(new FormData(document.forms[0]))

test('a change of plan confirms what was shown: product, sum and instant', () => {
  open(plan())
  expect([document.forms[0]?.method, document.forms[0]?.getAttribute('action')]).toEqual(['post', '/fns/stripe-subscription'])
  expect(sent()).toEqual({ action: 'switch', product_type: 'product_yearly', amount: '8850', at: '2026-11-21T10:00:00Z' })
  expect(screen.getByRole('button').textContent).toContain('88,50 €')
  expect(document.body.textContent).toContain('Teraz zaplatíte 88,50 €')
})

test('a change that comes later says when, and that nothing is charged', () => {
  open(plan({ plans: [{ ...year, now: false, amount: 0, due: '0,00 €', at: '2027-11-21T10:00:00Z' }] }))
  expect(document.body.textContent).toMatch(/21\.11\.2027.*nič neplatíte/)
  expect(screen.getByRole('button').textContent).toBe('Potvrdiť zmenu')
})

test.each([
  [false, /nie je iné predplatné/],
  [true, /neodpovedá/],
])('without a plan to change to, words say so (the provider is away: %s)', (away, says) => {
  open(plan({ plans: [], away }))
  expect(document.body.textContent).toMatch(says)
  expect(document.forms).toHaveLength(0)
})
