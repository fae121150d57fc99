import { kindOf, requestMail, type LoginKind } from '../../api/account.ts'
import type { Product } from '../../api/content.ts'
import { errorCode } from '../../api/error.ts'
import { reportError } from '../../app/report.ts'
import { useSite } from '../../app/site-context.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Trap, trapField } from '../../ui/trap.tsx'
import { emailRules } from './email-form.tsx'
import { agreedField, Legal } from './legal.tsx'
import { orderForm, choiceUrl, type Choice } from './order.ts'
import styles from './order.module.css'
import { Summary } from './summary.tsx'
import { EmailField } from '../../ui/email-field.tsx'

/** Where it cannot be told whether there is an account, the mail does for both; that it could not, is reported. */
async function kindFor(email: string): Promise<LoginKind> {
  try {
    return await kindOf(email)
  } catch (cause) {
    reportError(new Error(`Registration check error: ${errorCode(cause)}`, { cause }), 'account')
    return 'registration'
  }
}

/** A visitor gives an address; after the login, the order goes on where it was left: at the payment. */
export function VisitorOrder({ product, choice }: { product: Product; choice: Choice }) {
  const t = useT()
  const { href } = useSite()
  const free = product.product_type === 'no_product'
  const back = free ? choice.referrer : choiceUrl(href, { ...choice, product: product.product_type, pay: true })
  const { form, busy, fieldError, formError } = useSubmit({
    ...emailRules,
    send: async (data) => {
      const email = textOf(data, 'email')
      return requestMail({ email, type: await kindFor(email), referrer: back, trap: textOf(data, trapField), agreed: textOf(data, agreedField), ...(free ? {} : { product: product.product_type }) })
    },
  })
  return (
    <section className={styles.panel}>
      <Summary product={product} />
      <form {...form} id={orderForm} className={styles.form} method="post" action="/fns/user-login">
        {/* Whether it is a login or a registration, the server finds out by the address. */}
        <input type="hidden" name="type" value="registration" />
        {/* Without scripts the server adds the choice to the way back. */}
        <input type="hidden" name="referrer" value={choiceUrl(href, { ...choice, pay: false })} />
        <EmailField label={t('account.email')} error={fieldError('email')} hint={free ? t('account.visitorFree') : t('account.visitor')} />
        <Trap />
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('account.go')}
        </Button>
        <FormError>{formError}</FormError>
        <Legal />
      </form>
    </section>
  )
}
