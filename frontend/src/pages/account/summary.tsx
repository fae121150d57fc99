import { useEffect, useState } from 'react'
import type { OrderTime, Product } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { laterPayments, nextFullPrice, planOf, type Plan } from './plan.ts'
import styles from './order.module.css'

const seconds = (time: string) => Date.parse(time) / 1000

interface SummaryProps {
  product: Product
  transfer?: boolean
  /** Of a reader's; a visitor's page is kept longer than a day lasts. */
  order?: OrderTime | undefined
}

/**
 * What is ordered: what is paid today, and what from when on; by transfer it is paid once. It stands above the button that orders, and the
 * server keeps with the order what it says.
 */
export function Summary({ product, transfer = false, order }: SummaryProps) {
  const t = useT()
  const { format } = useSite()
  const plan = planOf(product)
  return (
    <div className={styles.summary} aria-live="polite">
      <h2 className={styles.title}>{t('account.order')}</h2>
      <p className={styles.product}>{product.product_name}</p>
      {plan ? (
        <>
          <Prices plan={plan} transfer={transfer} order={order} />
          <p className={styles.note}>
            {t(`account.vat.${vatOf(product)}`)}{' '}
            {transfer && order?.given ? t('account.endsGiven', givenYear(plan, order.given, format.date)) : t(transfer ? 'account.ends' : 'account.renews')}
          </p>
        </>
      ) : (
        <p className={styles.note}>{t('account.nothingToPay')}</p>
      )}
    </div>
  )
}

/** The same for all that can be chosen, where no script follows the choice. */
export function PlainSummary({ products, order }: { products: Product[]; order?: OrderTime | undefined }) {
  const t = useT()
  return (
    <noscript>
      <div className={styles.plain}>
        <h2 className={styles.title}>{t('account.order')}</h2>
        {products.map((product) => {
          const plan = planOf(product)
          return (
            plan && (
              <div key={product.product_type}>
                <p className={styles.product}>{product.product_name}</p>
                <Prices plan={plan} order={order} />
              </div>
            )
          )
        })}
        <p className={styles.note}>
          {t(`account.vat.${vatOf(products[0])}`)} {t('account.renews')}
        </p>
      </div>
    </noscript>
  )
}

/** The VAT that the price of a product bears. */
export const vatOf = (product: Product | undefined) => product?.vat ?? 'included'

/** The year that a transfer pays for, appended to what its reader has without paying. */
export function givenYear(plan: Plan, given: string, write: (at: number) => string) {
  const from = seconds(given)
  return { from: write(from), until: write(nextFullPrice({ ...plan, intro: 0 }, from)) }
}

interface PricesProps {
  plan: Plan
  transfer?: boolean
  order?: OrderTime | undefined
}

function Prices({ plan, transfer = false, order }: PricesProps) {
  const t = useT()
  const { format } = useSite()
  const [now, setNow] = useState(order ? seconds(order.now) : 0)
  useEffect(() => setNow((then) => then || Date.now() / 1000), [])

  const from = order?.paidFrom === undefined ? undefined : seconds(order.paidFrom)
  const today = transfer ? plan.full : from === undefined ? plan.first : 0
  const every = t(`account.every.${plan.unit}`, { count: plan.count })
  const after = t(`account.after.${plan.unit}`, { count: plan.intro || plan.count })
  return (
    <dl className={styles.prices}>
      <div>
        <dt>{t(transfer ? 'account.once' : 'account.today')}</dt>
        <dd>{format.money(today, plan.currency)}</dd>
      </div>
      {!transfer &&
        laterPayments(plan, now, from).map(({ at, amount, repeats }) => (
          <div key={at}>
            <dt>{now ? t('account.from', { date: format.date(at) }) : after}</dt>
            <dd>
              {format.money(amount, plan.currency)} {repeats && <span>{every}</span>}
            </dd>
          </div>
        ))}
    </dl>
  )
}
