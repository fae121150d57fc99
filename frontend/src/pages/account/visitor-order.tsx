import { kindOf, requestMail } from '../../api/account.ts'
import type { Product } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Trap, trapField } from '../../ui/trap.tsx'
import { EmailField, emailRules } from './email-form.tsx'
import { Legal } from './legal.tsx'
import { orderForm, wishUrl, type Wish } from './order.ts'
import styles from './order.module.css'
import { Summary } from './summary.tsx'

/** A visitor gives an address; after the login, the order goes on where it was left: at the payment. */
export function VisitorOrder({ product, wish }: { product: Product; wish: Wish }) {
  const t = useT()
  const { href } = useSite()
  const free = product.product_type === 'no_product'
  const back = free ? wish.referrer : wishUrl(href, { ...wish, product: product.product_type, pay: true })
  const { form, busy, fieldError, formError } = useSubmit({
    ...emailRules,
    send: async (data) => {
      const email = textOf(data, 'email')
      return requestMail({ email, type: await kindOf(email), referrer: back, trap: textOf(data, trapField), ...(free ? {} : { product: product.product_type }) })
    },
  })
  return (
    <section className={styles.panel}>
      <Summary product={product} />
      <form {...form} id={orderForm} className={styles.form} method="post" action="/fns/user-login">
        {/* Whether it is a login or a registration, the server finds out by the address. */}
        <input type="hidden" name="type" value="registration" />
        {/* Without scripts the choice is not in the way back, so that the reader chooses again. */}
        <input type="hidden" name="referrer" value={wishUrl(href, { ...wish, pay: false })} />
        <EmailField error={fieldError('email')} hint={free ? t('account.visitorFree') : t('account.visitor')} />
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
