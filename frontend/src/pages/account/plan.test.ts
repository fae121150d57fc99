import { describe, expect, test } from 'vitest'
import type { Product } from '../../api/content.ts'
import { nextFullPrice, planOf } from './plan.ts'

const monthly = { amount: 796, currency: 'EUR', unit: 'week', count: 4, introAmount: 100, introPeriods: 1 } as const
const yearly = { amount: 8900, currency: 'EUR', unit: 'year', count: 1 } as const
const product: Product = { product_type: 'product_yearly', product_name: 'Ročné', price: '89,00 €', product_order: 2 }
const now = Date.UTC(2026, 10, 21, 12) / 1000

describe('the next full price', () => {
  const due = (offer: object, from = now) => {
    const plan = planOf({ ...product, offer: offer as never })
    return plan && new Date(nextFullPrice(plan, from) * 1000).toISOString().slice(0, 10)
  }
  test.each([
    ['four weeks on, after the first four', monthly, '2026-12-19'],
    ['after all periods of the first price', { ...monthly, introPeriods: 3 }, '2027-02-13'],
    ['a year on, where the first is a full one', yearly, '2027-11-21'],
    ['for nothing: never', { ...yearly, amount: 0 }, null],
  ])('%s', (_, offer, date) => expect(due(offer)).toBe(date))
  test('a month after the last of January is the last of February', () => {
    expect(due({ ...yearly, unit: 'month' }, Date.UTC(2027, 0, 31, 12) / 1000)).toBe('2027-02-28')
  })
  test('a year after a leap day is the last of February', () => {
    expect(due(yearly, Date.UTC(2028, 1, 29, 12) / 1000)).toBe('2029-02-28')
  })
})
