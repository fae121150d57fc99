import type { Product } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Reader } from '../../session/session.ts'
import { MemberOrder } from './member-order.tsx'
import { standingOf, type Wish } from './order.ts'
import { Standing } from './standing.tsx'
import { VisitorOrder } from './visitor-order.tsx'

interface OrderPanelProps {
  /** As far as is known yet: the page's tier says so before the session does. */
  signedIn: boolean
  reader: Reader | null
  /** All products, and the chosen one. */
  products: Product[]
  product: Product
  wish: Wish
}

/** What follows the choice, by who is reading. */
export function OrderPanel({ signedIn, reader, products, product, wish }: OrderPanelProps) {
  const t = useT()
  const { edition, href, has, format } = useSite()
  if (!signedIn) return <VisitorOrder product={product} wish={wish} />

  const standing = reader ? standingOf(reader) : 'none'
  if (standing === 'legacy') {
    const email = edition.supportEmail
    return <Standing title={t('account.legacy.title')} text={t('account.legacy.text', { email })} to={`mailto:${email}`} action={t('account.legacy.write')} />
  }
  if (reader && standing === 'subscribed') {
    const name = products.find(({ product_type }) => product_type === reader.userProduct)?.product_name ?? edition.name
    const manage = has('profile')
    return (
      <Standing
        title={t('account.active.title')}
        text={t('account.active.until', { name, date: format.longDate(reader.userSubscription) })}
        to={manage ? href('profile') : wish.referrer}
        action={manage ? t('account.active.manage') : t('account.active.read')}
      />
    )
  }
  return <MemberOrder product={product} wish={wish} reader={reader} />
}
