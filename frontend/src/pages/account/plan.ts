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
