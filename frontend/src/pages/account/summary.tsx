import { useEffect, useState } from 'react'
import type { Product } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { nextFullPrice, planOf } from './plan.ts'
import styles from './order.module.css'

/**
 * What is ordered: what is paid today, and what from when on; by transfer it is paid once. It stands above the button that orders, and the
 * server keeps with the order what it says.
 */
export function Summary({ product, transfer = false }: { product: Product; transfer?: boolean }) {
  const t = useT()
  const { format } = useSite()
  // Not in the server's HTML, which is kept longer than a day lasts.
  const [now, setNow] = useState(0)
  useEffect(() => setNow(Date.now() / 1000), [])

  const plan = planOf(product)
  const later = plan && t(`account.after.${plan.unit}`, { count: plan.intro || plan.count })
  return (
    <div className={styles.summary} aria-live="polite">
      <h2 className={styles.title}>{t('account.order')}</h2>
      <p className={styles.product}>{product.product_name}</p>
      {plan ? (
        <>
          <dl className={styles.prices}>
            <div>
              <dt>{t(transfer ? 'account.once' : 'account.today')}</dt>
              <dd>{format.money(transfer ? plan.full : plan.first, plan.currency)}</dd>
            </div>
            {!transfer && (
              <div>
                <dt>{now ? t('account.from', { date: format.date(nextFullPrice(plan, now)) }) : later}</dt>
                <dd>
                  {format.money(plan.full, plan.currency)} <span>{t(`account.every.${plan.unit}`, { count: plan.count })}</span>
                </dd>
              </div>
            )}
          </dl>
          <p className={styles.note}>{t(transfer ? 'account.ends' : 'account.renews')}</p>
        </>
      ) : (
        <p className={styles.note}>{t('account.nothingToPay')}</p>
      )}
    </div>
  )
}
