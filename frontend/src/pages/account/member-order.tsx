import { useEffect, useRef, useState } from 'react'
import type { AccountStanding, OrderTime, Product } from '../../api/content.ts'
import { ApiError } from '../../api/error.ts'
import { startPayment } from '../../api/payments.ts'
import { orderTransfer } from '../../api/transfer.ts'
import { NamedReader } from '../../app/lost-session.tsx'
import { useSite } from '../../app/site-context.ts'
import { withStatus } from '../../app/status.ts'
import { useOwnNavigation } from '../../app/use-own-navigation.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { orderForm, choiceUrl, type Choice } from './order.ts'
import styles from './order.module.css'
import { PayBy } from './pay-by.tsx'
import { planOf } from './plan.ts'
import { givenYear, PlainSummary, Summary } from './summary.tsx'

interface MemberOrderProps {
  /** All that can be chosen. */
  products: Product[]
  product: Product
  choice: Choice
  standing: AccountStanding
  order: OrderTime | undefined
}

/** A reader goes to the payment, at once when the login was on the way there. Another site cannot lead there. */
export function MemberOrder({ products, product, choice, standing: { email, until }, order }: MemberOrderProps) {
  const t = useT()
  const { edition, href, format } = useSite()
  const transfers = edition.flags.bankTransfer === true
  const transferable = transfers && product.offer?.unit === 'year'
  const [way, setWay] = useState<string>(choice.by === 'iban' ? 'iban' : 'card')
  const chosen = { ...choice, product: product.product_type, by: transferable ? way : '' }
  const { form, busy, formError } = useSubmit({
    back: choiceUrl(href, { ...chosen, pay: false }),
    send: async (data) => {
      const kind = product.product_type
      try {
        const to = transferable && textOf(data, 'payment_method') === 'iban' ? await orderTransfer(kind) : await startPayment(kind, choice.referrer)
        return to ?? href('front')
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'INVALID_TOKEN') throw error
        // The session is over: log in again, then come back to pay.
        const back = choiceUrl(href, { ...chosen, pay: true })
        return withStatus(href('login', {}, { referrer: back }), error.code)
      }
    },
  })

  // Without scripts nobody knows what will be chosen: the button is binding then, as an order by transfer is.
  const [scripts, setScripts] = useState(false)
  useEffect(() => setScripts(true), [])
  const byTransfer = transfers && (scripts ? transferable && way === 'iban' : true)
  const button = useRef<HTMLButtonElement>(null)
  const ours = useOwnNavigation()
  const here = choiceUrl(href, { ...choice, pay: false })
  // Where there is something left to choose or to know, nothing starts by itself.
  const paidFrom = way === 'card' || !transferable ? order?.paidFrom : undefined
  const plan = planOf(product)
  const year = way === 'iban' && transferable && order?.given && plan ? givenYear(plan, order.given, format.longDate) : undefined
  const go = choice.pay && !transferable && !paidFrom
  useEffect(() => {
    if (!go || !new URLSearchParams(window.location.search).has('pay')) return
    // Coming back from the payment must not lead straight to it again.
    window.history.replaceState(window.history.state, '', here)
    if (ours()) button.current?.form?.requestSubmit()
  }, [go, here, ours])

  return (
    <section className={styles.panel}>
      <Summary product={product} transfer={transferable && way === 'iban'} order={order} />
      <PlainSummary products={products} order={order} />
      <form {...form} id={orderForm} className={styles.form} method="post" action="/fns/stripe-payment">
        {!transfers && <input type="hidden" name="payment_method" value="card" />}
        <input type="hidden" name="referrer" value={choice.referrer} />
        <NamedReader />
        <p className={styles.who}>{t('account.as', { email })}</p>
        <p className={styles.note}>
          <a href={href('focus', {}, { type: 'invoice_data' })} target="_blank">
            {t('account.invoiceData')}
          </a>
        </p>
        {until && <p className={styles.note}>{year ? t('account.trialTransfer', { date: year.from, until: year.until }) : t('account.trial', { date: format.longDate(until) })}</p>}
        {transfers && <PayBy hidden={!transferable} way={way} onChange={setWay} />}
        <Button ref={button} type="submit" wide busy={busy}>
          {busy ? t('action.processing') : paidFrom ? t('account.payFrom', { date: format.date(paidFrom) }) : t(byTransfer ? 'account.payTransfer' : 'account.pay')}
        </Button>
        <FormError>{formError}</FormError>
        {!(scripts && byTransfer) && <p className={styles.note}>{t('account.secure')}</p>}
      </form>
    </section>
  )
}
