import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { InvoiceDocument } from '../../../api/content.ts'
import { editions } from '../../../test/editions.ts'
import { makePage, makeReader, render } from '../../../test/render.tsx'
import { Page } from './invoice.page.tsx'

const invoice: InvoiceDocument = {
  kind: 'invoice', invoice_number: 'FV-2026-000017', invoice_date_created: 1795219200, invoice_product: 'Ročné', invoice_total: 99900, unit_no_tax: 81220, unit_tax: 18681,
  unit_tax_percentage: 2300, is_pending_bank_transfer: false, is_bank_transfer: false, client_type: 'legal_entity', name: 'Ľubomír Ťažký', email: 'l@north.example', line1: 'Hlavná 1', line2: '',
  city: 'Žilina', postal_code: '010 01', country: 'SK', country_name: 'Slovensko', company_name: 'Süßwaren, s. r. o.', company_ICO: '12345678', company_DIC: '', company_IC_DPH: '',
  status: 'paid', order_number: '000042', order_date: '2026-11-20', issue_date: '2026-11-21', delivery_date: '2026-11-22', due_date: '2026-11-23', quantity: 1, subtotal: 81220, rounding: -1,
  amount_paid: 99900, currency: 'EUR', bank_transfer_code: '', other_buyer: false, pdf: '/fns/invoice-pdf/in_17', xml: '/fns/invoice-xml/in_17',
  supplier: {
    name: 'Severné listy, a. s.', street: 'Mólo 2', city: 'Bratislava', postal_code: '811 01', country: 'SK', country_name: 'Slovensko', company_id: '99', tax_id: '98', vat_id: 'SK98',
    email: 'pomoc@north.example', bank: 'Banka', swift: 'TESTSKBX', iban: 'SK31',
  },
  lines: [{ name: 'Ročné', from: '2026-11-22', to: '2027-11-21', category: 'S', permille: 230, gross: 99900, net: 81220, vat: 18680 }],
  taxes: [{ category: 'S', permille: 230, net: 81220, vat: 18681 }], vat_note: '',
}

const open = (over: Partial<InvoiceDocument> = {}, edition = editions.sk) =>
  render(<Page page={makePage({ ...invoice, ...over }, { route: 'invoice', url: '/account/invoice/in_17', tier: 'member' })} />, { session: makeReader(), edition })
const text = () => document.body.textContent?.replaceAll('\u00a0', ' ') ?? ''

describe('an invoice', () => {
  test('has all that it has to have', () => {
    open()
    for (const part of [
      'FV-2026-000017', '20.11.2026', '21.11.2026', '22.11.2026', '23.11.2026', '000042', 'Platobná karta', 'Severné listy, a. s.', 'SK98', 'TESTSKBX', 'SK31', 'Süßwaren, s. r. o.',
      'Ľubomír Ťažký', '010 01 Žilina', '812,20 €', '23 %', '186,81 €', '-0,01 €', '999,00 €', '22.11.2026 – 21.11.2027',
    ]) expect(text()).toContain(part)
    expect(within(screen.getByRole('table')).getAllByRole('columnheader')).toHaveLength(5)
    expect(screen.getAllByRole('link').map((a) => a.getAttribute('href'))).toEqual(['/fns/invoice-pdf/in_17', '/fns/invoice-xml/in_17', '/account/profile'])
  })

  test.each([
    ['a pre-invoice', { kind: 'proforma', is_bank_transfer: true, bank_transfer_code: '2026000042', amount_paid: 0, status: 'draft' }, ['Zálohová faktúra', 'nie je daňový doklad', 'Variabilný symbol2026000042', 'Bankový prevod']],
    ['one that is void', { kind: 'proforma', amount_paid: 0, status: 'void' }, ['Storno']],
    ['a credit note', { kind: 'credit', refers: { kind: 'FV', number: 'FV-2026-000001', issued: '2026-11-01' } }, ['Opravná faktúra', 'FV-2026-000001, 01.11.2026', 'Vrátené']],
    ['of who pays no VAT', { supplier: { ...invoice.supplier, vat_id: '' }, taxes: [{ category: 'O', permille: 0, net: 99900, vat: 0 }], vat_note: 'Dodávateľ nie je platiteľom DPH.' }, ['nie je platiteľom DPH']],
    ['its supplier', { supplier: { ...invoice.supplier, register: 'Obchodný register, oddiel Sa, vložka č. 7/B' } }, ['oddiel Sa, vložka č. 7/B']],
  ] as const)('%s says so', (_, over, words) => {
    open(over as Partial<InvoiceDocument>)
    for (const word of words) expect(text()).toContain(word)
  })

  test('a credit note has its sums below zero, and what was returned above it', () => {
    const line = { ...invoice.lines[0]!, gross: -99900, net: -81220, vat: -18680 }
    open({ kind: 'credit', invoice_total: -99900, subtotal: -81220, rounding: 1, amount_paid: -99900, lines: [line], taxes: [{ category: 'S', permille: 230, net: -81220, vat: -18681 }] })
    for (const part of ['Spolu-999,00 €', 'Medzisúčet-812,20 €', '-186,81 €', 'Vrátené999,00 €']) expect(text()).toContain(part)
    expect(text()).not.toContain('Na úhradu')
  })

  test('a correction of the buyer moves no money', () => {
    const { unmount } = open({ kind: 'credit', other_buyer: true, invoice_total: -99900, amount_paid: -99900 })
    expect(text()).toContain('Peniaze sa nevracajú')
    expect(text()).not.toContain('Vrátené')
    unmount()
    open({ other_buyer: true })
    expect(text()).toContain('táto faktúra nahrádza doklad')
  })

  test('a pre-invoice delivers nothing', () => {
    open({ kind: 'proforma', delivery_date: '' })
    expect(text()).not.toContain('Dátum dodania')
  })
})
