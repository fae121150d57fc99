import type { SaleData } from '../../../api/content.ts'
import { takeOffer } from '../../../api/payments.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import styles from '../account.module.css'
import { emailRules } from '../email-form.tsx'
import { agreedField, Legal } from '../legal.tsx'
import { PlainSummary, Summary } from '../summary.tsx'
import sale from './sale.module.css'
import { useTyped } from './use-typed.ts'
import { EmailField } from '../../../ui/email-field.tsx'

/** One offer: a reader goes on to the payment, a visitor gets a mail that leads there. */
export function Campaign({ products: [product], signedIn, referrer, typed, order, trial }: SaleData) {
  const t = useT()
  const { format } = useSite()
  const submission = useSubmit({
    ...emailRules,
    shows: ['email', 'user_email'],
    send: (data) => takeOffer({ user_email: textOf(data, 'user_email'), product_type: textOf(data, 'product_type'), referrer, agreed: textOf(data, agreedField) }),
  })
  const { form, busy, formError } = submission
  const { value, error } = useTyped(typed, submission)
  if (!product) return null
  return (
    <FormPage title={t('sale.campaign.title')} lead={t('sale.campaign.lead')}>
      <div className={sale.order}>
        <Summary product={product} order={order} />
        <PlainSummary products={[product]} order={order} />
      </div>
      <form {...form} className={styles.form} method="post" action="/fns/stripe-quest-payment">
        <input type="hidden" name="form" value="campaign" />
        <NamedReader />
        <input type="hidden" name="referrer" value={referrer} />
        <input type="hidden" name="product_type" value={product.product_type} />
        {order?.paidFrom && <p className={sale.note}>{t('account.trial', { date: format.longDate(order.paidFrom) })}</p>}
        {trial > 0 && <p className={sale.note}>{t('sale.campaign.trial', { count: trial })}</p>}
        {!signedIn && <EmailField label={t('account.email')} name="user_email" defaultValue={value('user_email')} error={error('user_email', 'email')} hint={t('sale.mail')} />}
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : order?.paidFrom ? t('account.payFrom', { date: format.date(order.paidFrom) }) : t(signedIn ? 'account.pay' : 'sale.campaign.submit')}
        </Button>
        <FormError>{formError}</FormError>
        {!signedIn && <Legal />}
      </form>
    </FormPage>
  )
}
