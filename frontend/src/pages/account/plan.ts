import type { Offer, Product } from '../../api/content.ts'

/** What a product costs, when. Amounts are minor units. */
export interface Plan {
  currency: string
  unit: Offer['unit']
  /** Of the first payment. */
  first: number
  /** Of every payment after the first price has ended, `count` units apart. */
  full: number
  count: number
  /** How many units the first price is paid for; 0: there is none, the first payment is a full one. */
  intro: number
}

/** The plan of a product that costs something. */
export function planOf({ offer }: Product): Plan | null {
  if (!offer || offer.amount <= 0) return null
  const { amount, currency, unit, count, introAmount, introPeriods = 1 } = offer
  const intro = introAmount === undefined ? 0 : count * introPeriods
  return { currency, unit, count, intro, first: introAmount ?? amount, full: amount }
}

/** A payment of an order: when, in seconds, how much, and whether it is the one that is repeated. */
export interface Payment {
  at: number
  amount: number
  repeats: boolean
}

/** What an order that is made at `now` costs later on; its first payment is due at `from`, where that is not now. */
export function laterPayments(plan: Plan, now: number, from?: number): Payment[] {
  const full = { at: nextFullPrice(plan, from ?? now), amount: plan.full, repeats: true }
  if (from === undefined) return [full]
  return plan.intro ? [{ at: from, amount: plan.first, repeats: false }, full] : [{ ...full, at: from }]
}

/** When the first full price after today's payment is due, in seconds, for a payment made at `from`. */
export function nextFullPrice(plan: Plan, from: number): number {
  const units = plan.intro || plan.count
  if (plan.unit === 'week') return from + units * 7 * 86_400
  const at = new Date(from * 1000)
  const months = plan.unit === 'year' ? units * 12 : units
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  // The last day of a shorter month stands for the days that it lacks.
  at.setUTCDate(Math.min(day, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()))
  return at.getTime() / 1000
}
