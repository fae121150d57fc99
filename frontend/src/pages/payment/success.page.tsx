import { useEffect, useState } from 'react'
import type { PaymentSuccessData } from '../../api/content.ts'
import type { PaymentState } from '../../api/payments.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { withStatus } from '../../app/status.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import styles from './payment.module.css'
import { usePaymentStatus, type PaymentStatus } from './use-payment-status.ts'

const titles: Record<PaymentState, MessageId> = {
  confirmed: 'payment.confirmed.title',
  pending: 'payment.pending.title',
  signedOut: 'payment.signedOut.title',
  unpaid: 'payment.unpaid.title',
  unknown: 'payment.unknown.title',
}

/** How long a confirmed payment is shown before it leads on, in milliseconds; without scripts the server's page does so. */
const seen = 5000

/** Where a payment comes back to. It says what the provider has confirmed; the page itself opens nothing. */
export function Page({ page }: PageProps<PaymentSuccessData>) {
  const t = useT()
  const status = usePaymentStatus(page.data)
  return (
    <FormPage title={t(titles[status.state])} moment={status.state}>
      <div className={styles.state}>
        <State status={status} page={page} />
      </div>
    </FormPage>
  )
}

function State({ status, page }: { status: PaymentStatus; page: PageProps<PaymentSuccessData>['page'] }) {
  const t = useT()
  const { edition, href, format } = useSite()
  const email = edition.supportEmail
  // Paying changes what a page may show: the way back is a full load.
  const back = (address: string) => (
    <ButtonLink href={address} data-native>
      {t('payment.back')}
    </ButtonLink>
  )
  if (status.state === 'confirmed') {
    const to = withStatus(page.data.referrer || href('front'), 'PAYMENT_SUCCESS')
    return (
      <>
        <p className={shared.text}>{status.endsAt ? t('payment.confirmed.until', { date: format.longDate(status.endsAt) }) : t('payment.confirmed.text')}</p>
        {back(to)}
        <LeadOn to={to} />
      </>
    )
  }
  if (status.state === 'pending') {
    return (
      <>
        <p className={shared.text} role="status">
          {status.slow ? t('payment.pending.slow') : t('payment.pending.text')}
        </p>
        <div className={styles.bar} data-slow={status.slow || undefined} aria-hidden="true" />
        <noscript>
          <ButtonLink href={page.url}>{t('payment.pending.again')}</ButtonLink>
        </noscript>
        {status.slow && back(page.data.referrer || href('front'))}
      </>
    )
  }
  if (status.state === 'signedOut') return <SignedOut referrer={page.data.referrer} other={page.data.signedIn} />
  if (status.state === 'unpaid') {
    return (
      <>
        <p className={shared.text}>{t('payment.unpaid.text')}</p>
        <ButtonLink href={href('account', {}, { referrer: page.data.referrer === '/' ? undefined : page.data.referrer })}>{t('payment.toAccount')}</ButtonLink>
      </>
    )
  }
  return (
    <>
      <p className={shared.text}>{t('payment.unknown.text', { email })}</p>
      <div className={styles.ways}>
        <ButtonLink href={`mailto:${email}`}>{t('payment.write')}</ButtonLink>
        <ButtonLink href={href('account')} variant="outline">
          {t('payment.toAccount')}
        </ButtonLink>
      </div>
    </>
  )
}

/** The payment is here, its reader is not: after the login they read on where they came from. Whose it is, is not said. */
function SignedOut({ referrer, other }: { referrer: string; other: boolean }) {
  const t = useT()
  const { href } = useSite()
  const login = href('login', {}, { referrer: withStatus(referrer || href('front'), 'PAYMENT_SUCCESS') })
  if (!other) {
    return (
      <>
        <p className={shared.text}>{t('payment.signedOut.text')}</p>
        <ButtonLink href={login} data-native>
          {t('payment.signedOut.login')}
        </ButtonLink>
      </>
    )
  }
  return (
    <form method="post" action="/api/logout" data-native className={styles.state}>
      <p className={shared.text}>{t('payment.signedOut.other')}</p>
      <input type="hidden" name="referrer" value={login} />
      <Button type="submit">{t('payment.signedOut.switch')}</Button>
    </form>
  )
}

const inputs = ['pointerdown', 'keydown'] as const

/**
 * Goes on to where the reader came from, once the page has been seen for a while; going back does not lead here again. Who does
 * anything on the page has the time that it takes, and goes on by the link.
 */
function LeadOn({ to }: { to: string }) {
  const t = useT()
  const [stopped, setStopped] = useState(false)
  useEffect(() => {
    if (stopped) return
    let timer = 0
    const over = new AbortController()
    const { signal } = over
    const count = () => {
      window.clearTimeout(timer)
      if (!document.hidden) timer = window.setTimeout(() => window.location.replace(to), seen)
    }
    count()
    document.addEventListener('visibilitychange', count, { signal })
    for (const input of inputs) window.addEventListener(input, () => setStopped(true), { signal, capture: true })
    return () => {
      window.clearTimeout(timer)
      over.abort()
    }
  }, [to, stopped])
  // Below the button: pressing it stops this too, and it must not move away then.
  return stopped ? null : <p className={styles.goes}>{t('payment.confirmed.goes')}</p>
}
