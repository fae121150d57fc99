import { readFileSync } from 'node:fs'
import { decode } from 'bysquare/pay'
import { expect, test } from 'vitest'

test('a payment code of PAY by square says to whom, how much and with which symbol, to a reader that is not ours', () => {
  const text = readFileSync('../platform/payqr/testdata/bysquare.txt', 'utf8').trim()
  const { payments } = decode(text)
  expect(payments).toHaveLength(1)
  expect(payments[0]).toMatchObject({
    amount: 89,
    currencyCode: 'EUR',
    variableSymbol: '2026000042',
    paymentDueDate: '20261205',
    paymentNote: 'Rocne predplatne',
    bankAccounts: [{ bic: 'RIECSKBX' }],
    beneficiary: { name: 'Dunajske listy, a. s.' },
  })
  expect(payments[0]?.bankAccounts[0]?.iban).toBe('SK8999520000001987426375')
})
