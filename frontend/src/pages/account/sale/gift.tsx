import type { Product, SaleData } from '../../../api/content.ts'
import { buyGift } from '../../../api/payments.ts'
import { useSite } from '../../../app/site-context.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import account from '../account.module.css'
import { Legal } from '../legal.tsx'
import { vatOf } from '../summary.tsx'
import { GiftCard } from './gift-card.tsx'
import styles from './sale.module.css'
import { useTyped } from './use-typed.ts'

/** A subscription for somebody else: what, from whom, to whom and when. */
export function Gift({ gift, products, typed, url }: SaleData & { url: string }) {
  const t = useT()
  const { href } = useSite()
  if (!gift || gift.state === 'gone') {
    return (
      <FormPage title={t('sale.gift.gone.title')} lead={t('sale.gift.gone.text')}>
        <ButtonLink href={href('sale', { saleStep: 'gift' })}>{t('sale.gift.title')}</ButtonLink>
      </FormPage>
    )
  }
  if (gift.state === 'form') return <GiftForm products={products} today={gift.today} last={gift.last} typed={typed} />
  return <GiftCard gift={gift} url={url} />
}

const codes = { INVALID_EMAIL: 'buyer_email' } as const

interface GiftFormProps {
  products: Product[]
  today: string
  last: string
  typed: SaleData['typed']
}

function GiftForm({ products, today, last, typed }: GiftFormProps) {
  const t = useT()
  const submission = useSubmit({
    fields: codes,
    shows: ['buyer_email', 'buyer_name', 'recipient_email', 'message', 'send_on'],
    send: (data) =>
      buyGift({
        product_type: textOf(data, 'product_type'),
        buyer_email: textOf(data, 'buyer_email'),
        buyer_name: textOf(data, 'buyer_name'),
        recipient_email: textOf(data, 'recipient_email'),
        message: textOf(data, 'message'),
        send_on: textOf(data, 'send_on'),
      }),
  })
  const { form, busy, formError } = submission
  const { value, error } = useTyped(typed, submission)
  const email = { type: 'email', maxLength: 254, autoCapitalize: 'none', spellCheck: false } as const
  const chosen = value('product_type')
  return (
    <FormPage title={t('sale.gift.title')} lead={t('sale.gift.lead')}>
      <form {...form} className={account.form} method="post" action="/fns/gift-payment">
        <fieldset className={styles.choices}>
          <legend className={styles.legend}>{t('sale.gift.product')}</legend>
          {products.map((product, i) => (
            <label key={product.product_type} className={styles.choice}>
              <input type="radio" name="product_type" value={product.product_type} defaultChecked={chosen ? chosen === product.product_type : i === products.length - 1} className={styles.radio} />
              <span>{product.product_name}</span>
              <strong>{product.price}</strong>
            </label>
          ))}
        </fieldset>
        <Field {...email} label={t('sale.gift.buyerEmail')} name="buyer_email" required autoComplete="email" defaultValue={value('buyer_email')} error={error('buyer_email')} hint={t('sale.gift.buyerHint')} />
        <Field label={t('sale.gift.buyerName')} name="buyer_name" maxLength={80} autoComplete="name" defaultValue={value('buyer_name')} error={error('buyer_name')} hint={t('sale.gift.optional')} />
        <Field {...email} label={t('sale.gift.email')} name="recipient_email" autoComplete="off" defaultValue={value('recipient_email')} error={error('recipient_email')} hint={t('sale.gift.emailHint')} />
        <Field label={t('sale.gift.day')} name="send_on" type="date" min={today} max={last} defaultValue={value('send_on')} error={error('send_on')} hint={t('sale.gift.dayHint')} />
        <TextArea label={t('sale.gift.message')} name="message" maxLength={500} rows={4} defaultValue={value('message')} error={error('message')} hint={t('sale.gift.optional')} />
        <p className={styles.note}>
          {t('sale.gift.once')} {t(`account.vat.${vatOf(products[0])}`)}
        </p>
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('sale.gift.submit')}
        </Button>
        <FormError>{formError}</FormError>
        <Legal />
      </form>
    </FormPage>
  )
}
