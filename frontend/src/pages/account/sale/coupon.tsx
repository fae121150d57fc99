import type { SaleData } from '../../../api/content.ts'
import { takeOffer } from '../../../api/payments.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import styles from '../account.module.css'
import { emailRules } from '../email-form.tsx'
import { useTyped } from './use-typed.ts'
import { EmailField } from '../../../ui/email-field.tsx'

/** A code is typed, redeemed after the login, or has just opened what it opens. */
export function Coupon({ coupon, signedIn, referrer, typed }: SaleData) {
  const t = useT()
  const { format } = useSite()
  const ready = coupon?.wish && signedIn
  const submission = useSubmit({
    ...emailRules,
    shows: ready ? [] : ['coupon_code', 'email', 'user_email'],
    fields: { INVALID_COUPON_CODE: 'coupon_code', INVALID_EMAIL: 'email', FORBIDDEN_DOMAIN: 'email', UNDELIVERABLE_EMAIL: 'email' },
    send: (data) => takeOffer({ user_email: textOf(data, 'user_email'), coupon_code: textOf(data, 'coupon_code'), wish: textOf(data, 'wish'), referrer }),
  })
  const { form, busy, formError } = submission
  const { value, error } = useTyped(typed, submission)
  if (coupon?.until) {
    return (
      <FormPage title={t('sale.coupon.done.title')} lead={t('sale.coupon.done.text', { date: format.longDate(coupon.until) })}>
        <ButtonLink href={referrer} data-native>
          {t('sale.read')}
        </ButtonLink>
      </FormPage>
    )
  }
  return (
    <FormPage title={t('sale.coupon.title')} lead={ready ? t('sale.coupon.ready', { product: coupon.product }) : t(coupon?.late ? 'sale.coupon.late' : 'sale.coupon.lead')}>
      <form {...form} className={styles.form} method="post" action="/fns/stripe-quest-payment">
        <input type="hidden" name="form" value="coupon" />
        <NamedReader />
        <input type="hidden" name="referrer" value={referrer} />
        {ready ? (
          <input type="hidden" name="wish" value={coupon.wish} />
        ) : (
          <Field
            label={t('sale.coupon.code')}
            name="coupon_code"
            maxLength={60}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={value('coupon_code')}
            error={error('coupon_code')}
            hint={t('sale.coupon.hint')}
          />
        )}
        {!signedIn && <EmailField label={t('account.email')} name="user_email" defaultValue={value('user_email')} error={error('user_email', 'email')} hint={t('sale.mail')} />}
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('sale.coupon.submit')}
        </Button>
        <FormError>{formError}</FormError>
      </form>
    </FormPage>
  )
}
