import type { FocusData } from '../../../api/content.ts'
import { changePath } from '../../../api/subscription.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './focus.module.css'
import { Back } from './back.tsx'

type Plans = NonNullable<FocusData['plan']>

/** The products that a reader can change to, each with what it costs now. What is confirmed is what is shown. */
export function Plan({ plans, away, given }: Plans) {
  const t = useT()
  const { format } = useSite()
  return (
    <FormPage title={t('focusPage.plan.title')} lead={plans.length > 0 ? t('focusPage.plan.lead') : undefined}>
      {plans.map((plan) => (
        <Choice key={plan.product} {...plan} />
      ))}
      {plans.length === 0 && <p>{given ? t('focusPage.plan.given', { date: format.date(given) }) : t(away ? 'focusPage.plan.away' : 'focusPage.plan.none')}</p>}
      <Back />
    </FormPage>
  )
}

function Choice({ product, name, price, now, amount, due, at }: Plans['plans'][number]) {
  const t = useT()
  const { format } = useSite()
  return (
    <form method="post" action={changePath} className={styles.plan}>
      <NamedReader />
      <h2>{name}</h2>
      <p className={styles.price}>{price}</p>
      <p className={styles.due}>{now ? t('focusPage.plan.now', { due }) : t('focusPage.plan.later', { date: format.date(at) })}</p>
      <input type="hidden" name="action" value="switch" />
      <input type="hidden" name="product_type" value={product} />
      <input type="hidden" name="amount" value={amount} />
      <input type="hidden" name="at" value={at} />
      <Button type="submit" wide>
        {now ? t('focusPage.plan.pay', { due }) : t('focusPage.plan.submit')}
      </Button>
    </form>
  )
}
