import type { SaleData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import styles from './sale.module.css'

/** The card with the code, to print or to show; until the payment is confirmed, that it is on its way. */
export function GiftCard({ gift, url }: { gift: NonNullable<SaleData['gift']>; url: string }) {
  const t = useT()
  const { edition, format } = useSite()
  const { card, until, state } = gift
  if (!card) {
    return (
      <FormPage title={t('sale.gift.pending.title')} lead={t('sale.gift.pending.text')}>
        {/* The page is asked for anew: the payment may be confirmed by now. */}
        <ButtonLink href={url} data-native>
          {t('payment.pending.again')}
        </ButtonLink>
      </FormPage>
    )
  }
  return (
    <FormPage title={t(state === 'used' ? 'sale.gift.used' : 'sale.gift.ready')} lead={t('sale.gift.card.lead')}>
      <section className={styles.card} data-print="alone" aria-label={t('sale.gift.card.label')}>
        <p className={styles.paper}>{edition.name}</p>
        <p className={styles.product}>{card.product}</p>
        {card.message && <p className={styles.message}>{card.message}</p>}
        {card.from && <p className={styles.from}>{t('sale.gift.card.from', { name: card.from })}</p>}
        <p className={styles.code}>{card.code}</p>
        <p className={styles.how}>{t('sale.gift.card.how', { address: card.address })}</p>
        {until && <p className={styles.how}>{t('sale.gift.card.until', { date: format.longDate(until) })}</p>}
      </section>
      <div data-print="hide" className={styles.print}>
        <Button onClick={() => window.print()}>{t('sale.gift.card.print')}</Button>
        <noscript>
          <p className={styles.note}>{t('sale.gift.card.menu')}</p>
        </noscript>
      </div>
    </FormPage>
  )
}
