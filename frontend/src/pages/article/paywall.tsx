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

/** What stands in the place of the withheld text: why, what reading on costs, and one way to it. */
export function Paywall({ page }: { page: Page<ArticleData> }) {
  const t = useT()
  const { edition, href } = useSite()
  const { reason, withheld, offer } = page.data
  const selling = offerOf(useSession(), page.tier, edition.flags)
  const price = useOfferPrice(selling === 'subscription' ? offer : undefined)
  const query = { referrer: page.url.split('?')[0] }
  const guest = page.tier === 'anonymous'
  return (
    <div className="paywalled">
      <section className={styles.paywall} aria-labelledby="paywall">
        <p className={styles.badge}>
          {t('paywall.badge')}
          {withheld > 0 && ` · ${t('paywall.rest', { count: withheld })}`}
        </p>
        <h2 id="paywall" className={styles.state}>
          <State reason={reason} />
        </h2>
        {price && <p className={styles.price}>{price}</p>}
        {selling !== 'none' && (
          <ButtonLink className={styles.button} href={href(selling === 'register' ? 'registration' : 'account', {}, query)}>
            {selling === 'register' ? t('paywall.register') : t('paywall.button')}
          </ButtonLink>
        )}
        {guest && (
          <p className={styles.login}>
            {t('paywall.loginQuestion')} <a href={href('login', {}, query)}>{t('paywall.loginLink')}</a>
            {selling !== 'register' && (
              <>
                {' · '}
                <a href={href('registration', {}, query)}>{t('paywall.register')}</a>
              </>
            )}
          </p>
        )}
      </section>
    </div>
  )
}

function State({ reason }: { reason: ArticleData['reason'] }) {
  const t = useT()
  const { freeArticles: limit, period } = useSite().edition.limits
  const wall = wallOf(reason, limit)
  return wall === 'subscribers' ? t('paywall.subscribers') : t(`paywall.${wall}`, { limit, period })
}
