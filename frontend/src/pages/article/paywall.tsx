import type { ArticleData } from '../../api/content.ts'
import type { Page } from '../../api/page.ts'
import { useSite } from '../../app/site-context.ts'
import { offerOf } from '../../blocks/header/offer.ts'
import { useOfferPrice } from '../../blocks/use-offer-price.ts'
import { useT } from '../../i18n/use-t.ts'
import { useSession } from '../../session/use-session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './paywall.module.css'
import { wallOf } from './wall.ts'

/** What stands in the place of the withheld text: why, the way that the sentence names first, and what a subscription costs. */
export function Paywall({ page }: { page: Page<ArticleData> }) {
  const t = useT()
  const { edition, href, format } = useSite()
  const { reason, withheld, offer, freeFrom } = page.data
  const selling = offerOf(useSession(), page.tier, edition.flags)
  const price = useOfferPrice(selling === 'subscription' ? offer : undefined)
  const query = { referrer: page.url.split('?')[0] }
  const guest = page.tier === 'anonymous'
  const { freeArticles: limit, period } = edition.limits
  const wall = wallOf(reason, limit)
  const free = selling === 'register' || (guest && wall === 'login')
  return (
    <div className="paywalled">
      <section className={styles.paywall} aria-labelledby="paywall">
        <p data-lock>
          {t('paywall.badge')}
          {withheld > 0 && ` · ${t('paywall.rest', { count: withheld })}`}
        </p>
        <h2 id="paywall" className={styles.state}>
          {wall === 'subscribers' ? t('paywall.subscribers') : t(`paywall.${wall}`, { limit, period })}
        </h2>
        {wall === 'limit' && freeFrom && <p className={styles.price}>{t('paywall.next', { date: format.longDate(freeFrom) })}</p>}
        <div className={styles.ways}>
          {free && <ButtonLink href={href('registration', {}, query)}>{t('paywall.register')}</ButtonLink>}
          {selling === 'subscription' && (
            <ButtonLink variant={free ? 'outline' : 'primary'} href={href('account', {}, query)}>
              {t('paywall.button')}
            </ButtonLink>
          )}
        </div>
        {price && (
          <p className={styles.price}>
            {t('paywall.price', { price })} {t('paywall.cancel')}
          </p>
        )}
        {guest && (
          <p className={styles.login}>
            {t('paywall.loginQuestion')} <a href={href('login', {}, query)}>{t('paywall.loginLink')}</a>
          </p>
        )}
      </section>
    </div>
  )
}
