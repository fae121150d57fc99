import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Product } from '../../api/content.ts'
import { startPayment } from '../../api/payments.ts'
import { useLocation } from '../../app/navigation.tsx'
import { useSite } from '../../app/site-context.ts'
import { withoutReminder } from '../../app/status.ts'
import { useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Reader } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { offered, orderForm } from './order.ts'
import { Products } from './products.tsx'
import { Summary } from './summary.tsx'
import styles from './notice.module.css'

export interface NoticeProps {
  reader: Reader
  onDone: () => void
}

/** Says that access ends, or has ended, or nothing of that, and offers what there is to go on with. Closed, it stays away for this end. */
export function Notice({ reader, onDone }: NoticeProps) {
  const t = useT()
  const { format, href } = useSite()
  const { pathname, search } = useLocation()
  const [products, setProducts] = useState<Product[] | null>()
  const [selected, select] = useState<Product['product_type']>()
  const [round, setRound] = useState(0)

  useEffect(() => {
    let live = true
    const got = (list: Product[] | null) => live && setProducts(list)
    api.GET('/fns/stripe-products-offer', {}).then(
      ({ data }) => got(offered(data?.products ?? [], true)),
      () => got(null),
    )
    return () => {
      live = false
    }
  }, [round])

  const close = () => {
    onDone()
    // Should it fail, the notice comes once more on a later visit.
    api.POST('/fns/update-user-metadata', { body: { metadata: [{ meta_key: 'subscription_expiration_reminder', meta_value: 'false' }], user_id: reader.userId } }).catch(() => undefined)
  }
  const chosen = products?.find(({ product_type }) => product_type === selected) ?? products?.[0]
  const { form, busy, formError } = useSubmit({
    send: async () => chosen && ((await startPayment(chosen.product_type, withoutReminder(pathname + search), { user_id: reader.userId })) ?? href('front')),
  })
  const about = reader.userSubscription !== 0 ? 'reminder' : reader.expirationReminder ? 'expired' : 'offer'
  return (
    <Dialog onClose={close} title={t(`popup.${about}.title`, { date: format.longDate(reader.userSubscription) })}>
      <p className={styles.lead}>{t(`popup.${about}.text`)}</p>
      {products === null ? (
        <p role="alert" className={styles.trouble}>
          {t('popup.notLoaded')}
        </p>
      ) : (
        <div className={styles.products} aria-busy={products === undefined}>
          {chosen && products && <Products products={products} selected={chosen.product_type} onSelect={select} />}
        </div>
      )}
      {chosen && <Summary product={chosen} />}
      <form {...form} id={orderForm} method="post" action="/fns/stripe-payment" className={styles.foot}>
        <FormError>{formError}</FormError>
        {products === null ? (
          <Button type="button" variant="outline" onClick={() => (setProducts(undefined), setRound((one) => one + 1))}>
            {t('popup.again')}
          </Button>
        ) : (
          <Button type="submit" busy={busy} disabled={!chosen}>
            {busy ? t('action.processing') : t('popup.continue')}
          </Button>
        )}
        <Button type="button" variant="outline" onClick={close}>
          {t('popup.later')}
        </Button>
        <p className={styles.secure}>{t('popup.secure')}</p>
      </form>
    </Dialog>
  )
}
