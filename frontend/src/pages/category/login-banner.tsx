import type { Offer } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useOfferPrice } from '../../blocks/use-offer-price.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './login-banner.module.css'

/** For visitors, in the place of the video comments: what signing in brings. */
export function LoginBanner({ path, offer }: { path: string; offer?: Offer }) {
  const t = useT()
  const { edition, href } = useSite()
  const { freeArticles: limit, period } = edition.limits
  const price = useOfferPrice(edition.flags.subscriptions === false ? undefined : offer)
  const query = { referrer: path }
  return (
    <section className={styles.banner} aria-labelledby="login-banner" data-print="hide">
      <div>
        <h2 id="login-banner" className={styles.title}>
          {t('category.login')}
        </h2>
        <p className={styles.text}>
          {limit > 0 ? t('category.loginFree', { limit, period }) : t('category.loginPlain')} {price && t('category.offer', { price })}
        </p>
      </div>
      <div className={styles.ways}>
        <ButtonLink href={href('login', {}, query)}>{t('category.loginAction')}</ButtonLink>
        <ButtonLink variant="outline" href={href('registration', {}, query)}>
          {t('category.loginRegister')}
        </ButtonLink>
      </div>
    </section>
  )
}
