import type { ProfileData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import sections from './sections.module.css'
import { Section } from './section.tsx'

/** What the reader has bought, until when, how that ends, and the way to the next step. */
export function Subscription({ data }: { data: ProfileData }) {
  const t = useT()
  const { href, format } = useSite()
  const { subscription } = data
  if (!subscription) return null
  const { state, product, until, portal, offer } = subscription
  const buys = offer && (state === 'none' || state === 'trial' || state === 'expired')
  return (
    <Section title={t('profilePage.subscription.title')}>
      {product && <p className={sections.strong}>{product}</p>}
      <p>{state === 'none' ? t('profilePage.subscription.none') : t(`profilePage.subscription.${state}`, { date: until ? format.date(until) : '' })}</p>
      <div className={sections.ways}>
        {buys && (
          <ButtonLink href={href('account')} size="small">
            {t('profilePage.subscription.choose')}
          </ButtonLink>
        )}
        {portal && (
          <ButtonLink href={portal} size="small" variant="outline" data-native rel="nofollow">
            {t('profilePage.subscription.manage')}
          </ButtonLink>
        )}
      </div>
    </Section>
  )
}
