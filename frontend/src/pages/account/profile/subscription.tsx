import type { ProfileData } from '../../../api/content.ts'
import { changePath } from '../../../api/subscription.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import sections from './sections.module.css'
import { Section } from './section.tsx'

type Held = NonNullable<ProfileData['subscription']>
type Action = Held['can'][number]

/** For how many periods a subscription can be paused. */
const pauses = [1, 2, 3]

/** What is asked for with one button. */
const simple = ['unpause', 'resume', 'stay', 'cancel'] as const satisfies readonly Action[]

/** The states in which nothing is paid for, so that there is something to order. */
const free: readonly Held['state'][] = ['none', 'trial', 'given', 'granted', 'expired', 'disputed']

/** What the reader has bought, until when, how that ends, and the way to the next step. Plain forms, so that it works everywhere. */
export function Subscription({ data }: { data: ProfileData }) {
  const t = useT()
  const { href, format } = useSite()
  const { subscription } = data
  if (!subscription) return null
  const { state, product, until, portal, offer, can, waits } = subscription
  const buys = offer && can.length === 0 && free.includes(state)
  return (
    <Section title={t('profilePage.subscription.title')}>
      {product && <p className={sections.strong}>{product}</p>}
      {!(waits && state === 'none') && <State of={subscription} />}
      {subscription.next && <p>{t('profilePage.subscription.next', { date: until ? format.date(until) : '', product: subscription.next })}</p>}
      {waits && <p>{t('profilePage.subscription.waits', { amount: format.money(waits.amount, waits.currency), date: format.date(waits.due), product: waits.product })}</p>}
      <div className={sections.ways}>
        {waits && (
          <ButtonLink href={waits.url} size="small">
            {t('profilePage.subscription.payTransfer')}
          </ButtonLink>
        )}
        {buys && (
          <ButtonLink href={href('account')} size="small" variant={waits ? 'outline' : 'primary'}>
            {t('profilePage.subscription.choose')}
          </ButtonLink>
        )}
        {can.includes('switch') && (
          <ButtonLink href={`${href('focus')}?type=plan`} size="small" variant="outline" rel="nofollow">
            {t('profilePage.subscription.switch')}
          </ButtonLink>
        )}
        {portal && state !== 'ending' && (
          <ButtonLink href={portal} size="small" variant="outline" data-native rel="nofollow">
            {t('profilePage.subscription.manage')}
          </ButtonLink>
        )}
      </div>
      {can.includes('pause') && (
        <form method="post" action={changePath} className={sections.pause}>
          <NamedReader />
          <input type="hidden" name="action" value="pause" />
          <Select label={t('profilePage.subscription.pauseFor')} name="periods">
            {pauses.map((count) => (
              <option key={count} value={count}>
                {t('profilePage.subscription.pausePeriods', { count })}
              </option>
            ))}
          </Select>
          <Button type="submit" variant="outline">
            {t('profilePage.subscription.pause')}
          </Button>
        </form>
      )}
      {can.includes('unpause') && <p>{t('profilePage.subscription.unpauseNote')}</p>}
      {subscription.atOnce && <p>{t('profilePage.subscription.cancelAtOnce')}</p>}
      <div className={sections.ways}>
        {simple.filter((action) => can.includes(action)).map((action) => (
          <form key={action} method="post" action={changePath}>
            <NamedReader />
            <input type="hidden" name="action" value={action} />
            <Button type="submit" variant="outline">
              {t(`profilePage.subscription.${action}`)}
            </Button>
          </form>
        ))}
      </div>
    </Section>
  )
}

/** How the subscription stands, in words. */
function State({ of: { state, until, resumes, payment } }: { of: Held }) {
  const t = useT()
  const { format } = useSite()
  const date = until ? format.date(until) : ''
  if (state === 'active' && payment) {
    const words = payment.first ? 'begins' : 'active'
    return <p>{t(`profilePage.subscription.${words}`, { date: format.date(payment.at), price: format.money(payment.amount, payment.currency) })}</p>
  }
  if (state === 'none') return <p>{t('profilePage.subscription.none')}</p>
  if (state !== 'paused') return <p>{t(`profilePage.subscription.${state === 'active' ? 'reads' : state}`, { date })}</p>
  return (
    <>
      <p>{resumes ? t('profilePage.subscription.paused', { date: format.date(resumes) }) : t('profilePage.subscription.pausedOpen')}</p>
      {until && <p>{t('profilePage.subscription.reads', { date })}</p>}
    </>
  )
}
