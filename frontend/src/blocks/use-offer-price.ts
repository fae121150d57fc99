import type { Offer } from '../api/content.ts'
import { useSite } from '../app/site-context.ts'
import { useT } from '../i18n/use-t.ts'

/** An offer's price in one sentence without its full stop: "prvé 4 týždne za 1,00 €, potom 7,96 € každé 4 týždne". */
export function useOfferPrice(offer: Offer | undefined): string | null {
  const t = useT()
  const { format } = useSite()
  if (!offer) return null
  const { amount, currency, unit, count, introAmount, introPeriods } = offer
  const regular = { price: format.money(amount, currency), every: t('offer.every', { unit, count }) }
  if (introAmount === undefined || !introPeriods) return t('offer.plain', regular)
  const span = t('offer.span', { unit, count: count * introPeriods })
  return t('offer.intro', { ...regular, span, first: format.money(introAmount, currency) })
}
