import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { ProfileData } from '../../../api/content.ts'
import type { PublicEdition } from '../../../editions/types.ts'
import { editions } from '../../../test/editions.ts'
import { makePage, makeReader, render } from '../../../test/render.tsx'
import { stateOf } from './invoices.tsx'
import { Page } from './profile.page.tsx'

const payment = {
  client_type: 'legal_entity', name: 'Eva Nová', email: 'eva@north.example', line1: 'Hlavná 1', line2: '', city: 'Bratislava', postal_code: '811 01', country: 'SK',
  company_name: 'Nová s.r.o.', company_ICO: '12345678', company_DIC: '', company_IC_DPH: '', countryName: 'Slovensko', stored: true,
} as const
const invoice = { id: 3, stripe_id: 'in_3', number: 'N-0003', created: Date.UTC(2026, 10, 5) / 1000, status: 'paid', amount_total: 796, amount_paid: 796, currency: 'EUR', bank_transfer_code: '', url: '/account/invoice/in_3', pdf: '/fns/invoice-pdf/in_3' }
const list = { id: 'brief', name: 'Ranný výber', description: '', schedule: 'každý deň o 6:00', chosen: true }
const data: ProfileData = {
  login: { email: 'eva@north.example', type: 'registered', commentName: 'Eva.N' },
  subscription: { state: 'active', product: 'Mesačné', until: '2026-12-03T10:00:00Z', portal: '/fns/billing-portal', offer: true, can: [], next: '' },
  payment,
  invoices: [invoice],
  newsletters: [list, { ...list, id: 'topic', name: 'Týždenná téma', chosen: false }],
}

const open = (over: Partial<ProfileData> = {}, edition?: PublicEdition) =>
  render(<Page page={makePage({ ...data, ...over }, { route: 'profile', url: '/account/profile', tier: 'member' })} />, { session: makeReader(), ...(edition ? { edition } : {}) })
const links = () => screen.getAllByRole('link').map((a) => a.getAttribute('href'))
const titles = () => screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)

describe.each(Object.values(editions))('$id', (edition) => {
  test('the sections stand in their order', () => {
    open({}, edition)
    expect(titles()).toEqual(
      edition.locale === 'sk'
        ? ['Predplatné', 'Prihlasovacie údaje', 'Diskusné meno', 'Fakturačné údaje', 'Faktúry', 'Newslettre', 'Súhlasy']
        : ['Abo', 'Zugangsdaten', 'Diskussionsname', 'Rechnungsdaten', 'Rechnungen', 'Newsletter', 'Einwilligungen'],
    )
  })

  test.each([
    ['none', { state: 'none', product: '', portal: '', offer: true, can: [], next: '' }, ['/account'], /predplatné|Abo/],
    ['active', data.subscription, ['/fns/billing-portal'], /03\.12\.2026/],
    ['trial', { state: 'trial', product: '', portal: '', until: '2026-12-03T10:00:00Z', offer: true, can: [], next: '' }, ['/account'], /03\.12\.2026/],
    ['ending', { ...data.subscription!, state: 'ending' }, [], /zrušili.*03\.12\.2026|gekündigt.*03\.12\.2026/],
    ['pastDue', { ...data.subscription!, state: 'pastDue' }, ['/fns/billing-portal'], /kartu|Karte/],
    ['renewing', { ...data.subscription!, state: 'renewing' }, ['/fns/billing-portal'], /03\.12\.2026/],
    ['expired', { ...data.subscription!, state: 'expired', portal: '/fns/billing-portal' }, ['/account', '/fns/billing-portal'], /03\.12\.2026/],
    ['disputed', { ...data.subscription!, state: 'disputed', portal: '' }, ['/account'], /03\.12\.2026/],
    ['paused', { ...data.subscription!, state: 'paused', resumes: '2027-01-28T10:00:00Z' }, ['/fns/billing-portal'], /28\.01\.2027.*03\.12\.2026/],
    ['with another plan to come', { ...data.subscription!, next: 'Ročné' }, ['/fns/billing-portal'], /03\.12\.2026: Ročné|03\.12\.2026: Ročné/],
    ['disputed, so that it is held and opens nothing', { ...data.subscription!, state: 'expired', can: ['cancel'] }, ['/fns/billing-portal'], /03\.12\.2026/],
    ['that can be changed', { ...data.subscription!, can: ['switch'] }, ['/account/focus?type=plan', '/fns/billing-portal'], /03\.12\.2026/],
    ['where nothing is sold', { state: 'none', product: '', portal: '', offer: false, can: [], next: '' }, [], /predplatné|Abo/],
  ] as const)('a subscription: %s', (_, subscription, to, says) => {
    open({ subscription: { ...subscription!, can: [...subscription!.can] } }, edition)
    const section = within(document.querySelector('section') as HTMLElement)
    expect(document.querySelector('section')!.textContent).toMatch(says)
    expect(section.queryAllByRole('link').map((a) => a.getAttribute('href'))).toEqual(to)
  })

  test('an invoice has order, date, status and prices; without any, words say so', () => {
    const { unmount } = open({}, edition)
    const cells = screen.getAllByRole('cell').map((c) => c.textContent?.replace(/\s/g, ' '))
    expect(cells).toEqual(['N-0003 PDF', '05.11.2026', edition.locale === 'sk' ? 'Zaplatená' : 'Bezahlt', '7,96 €', '7,96 €'])
    expect(screen.getAllByRole('columnheader')).toHaveLength(5)
    unmount()
    open({ invoices: [] }, edition)
    expect(screen.getByText(edition.locale === 'sk' ? 'Momentálne nemáte žiadne faktúry.' : 'Sie haben derzeit keine Rechnungen.')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })
})

test.each([
  ['pause', { action: 'pause', periods: '1' }],
  ['unpause', { action: 'unpause' }],
  ['resume', { action: 'resume' }],
  ['stay', { action: 'stay' }],
  ['cancel', { action: 'cancel' }],
] as const)('a form that works without scripts: %s', (action, sent) => {
  open({ subscription: { ...data.subscription!, can: [action] } })
  const forms = [...document.querySelectorAll('form')].filter((form) => form.getAttribute('action') === '/fns/stripe-subscription')
  expect([forms.length, forms[0]?.method, Object.fromEntries(new FormData(forms[0]))]).toEqual([1, 'post', sent])
  expect(forms[0]!.querySelector('button')!.type).toBe('submit')
})

test('a login elsewhere is answered by a number that the other device shows, or by a no', () => {
  open({ loginRequests: [{ id: 9, device: 'Firefox, Linux', at: '2026-11-21T10:00:00Z', choices: [73, 42, 18] }] })
  const form = document.querySelector<HTMLFormElement>('form[action="/fns/login-approval"]')!
  const choices = within(screen.getByRole('group', { name: 'Ktoré číslo vidíte na druhom zariadení?' })).getAllByRole('button')
  expect(choices.map((button) => button.textContent)).toEqual(['73', '42', '18'])
  const sends = [...form.querySelectorAll('button')].map((button) => Object.fromEntries(new FormData(form, button)))
  expect(sends).toEqual([{ id: '9', number: '73' }, { id: '9', number: '42' }, { id: '9', number: '18' }, { id: '9', approve: 'no' }])
})

test('what the subscription does not allow is not offered', () => {
  open()
  expect(document.querySelectorAll('form[action="/fns/stripe-subscription"]')).toHaveLength(0)
})

test('the portal is opened by the browser itself, which no link of ours may do ahead', () => {
  open()
  expect(document.querySelector('a[href="/fns/billing-portal"]')!.hasAttribute('data-native')).toBe(true)
})

test('what is empty is left out, and what is not there is said', () => {
  const { unmount } = open()
  const terms = [...document.querySelectorAll('dt')].map((dt) => dt.textContent)
  expect(terms).toContain('Názov firmy')
  expect(terms).not.toContain('DIČ')
  expect(screen.getByText('811 01 Bratislava')).toBeTruthy()
  expect(document.body.textContent).toContain('Ranný výber')
  expect(document.body.textContent).not.toContain('Týždenná téma')
  unmount()
  open({ payment: { ...payment, stored: false }, newsletters: [], login: { ...data.login, commentName: '' } })
  for (const words of ['Zatiaľ ste nezadali', 'Momentálne neodoberáte', 'Zatiaľ nemáte diskusné meno']) expect(document.body.textContent).toContain(words)
  expect(links()).toEqual(expect.arrayContaining(['/account/focus?type=comment_name', '/account/focus?type=invoice_data', '/newsletters/settings', '/account/consent']))
})

test('a module without a part has no section', () => {
  open({ subscription: undefined, payment: undefined, invoices: undefined, newsletters: undefined } as unknown as Partial<ProfileData>)
  expect(titles()).toEqual(['Prihlasovacie údaje', 'Diskusné meno', 'Súhlasy'])
})

test('every state of an invoice has its words', () => {
  expect(['draft', 'open', 'paid', 'void', 'uncollectible', 'new'].map((status) => stateOf({ status }).split('.').at(-1))).toEqual(['draft', 'open', 'paid', 'failed', 'failed', 'unknown'])
})

test.each([
  [false, 'Predplatné je aktívne. Obnoví sa 20.12.2026 za 7,96 €, ak ho dovtedy nezrušíte.'],
  [true, 'Predplatné je objednané a začne sa 20.12.2026. Vtedy zaplatíte 7,96 €, ak ho predtým nezrušíte; dovtedy čítate bez platenia.'],
])('the next payment is named with its day and its sum (the first one: %s)', (first, words) => {
  open({ subscription: { ...data.subscription!, payment: { at: '2026-12-20T10:00:00Z', amount: 796, currency: 'EUR', first } } })
  expect(document.body.textContent.replace(/\u00a0/g, ' ')).toContain(words)
})

test('there is one way to cancel, and the provider’s page is for the card', () => {
  open({ subscription: { ...data.subscription!, can: ['cancel'] } })
  const section = within(document.querySelector('section') as HTMLElement)
  const ways = [...section.queryAllByRole('link'), ...section.queryAllByRole('button')].map(({ textContent }) => textContent)
  expect(ways).toEqual(['Platobná karta', 'Zrušiť predplatné'])
})

test('a subscription that ends at once says so before it is cancelled', () => {
  const subscription = { ...data.subscription!, state: 'pastDue' as const, can: ['cancel' as const] }
  const { unmount } = open({ subscription: { ...subscription, atOnce: true } })
  expect(document.body.textContent).toContain('skončí sa ešte dnes a nič vám nestrhneme')
  unmount()
  open({ subscription })
  expect(document.body.textContent).not.toContain('ešte dnes')
})

test('while a transfer is waited for, paying it is the one button that stands out', () => {
  open({
    subscription: {
      ...data.subscription!, state: 'none', product: '', portal: '', offer: true, can: [],
      waits: { amount: 8900, currency: 'EUR', due: '2026-12-03T10:00:00Z', product: 'Ročné', url: '/account/sale/transfer' },
    } as ProfileData['subscription'],
  })
  const [pay, choose] = within(document.querySelector('section') as HTMLElement).getAllByRole('link')
  expect([pay?.className.includes('primary'), choose?.className.includes('primary')]).toEqual([true, false])
})
