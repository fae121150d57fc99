import type { AccountData, Product } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { MemberOrder } from './member-order.tsx'
import type { Choice } from './order.ts'
import { Standing } from './standing.tsx'
import { VisitorOrder } from './visitor-order.tsx'

interface OrderPanelProps {
  /** What the reader has; none of a visitor. */
  standing: AccountData['standing']
  order: AccountData['order']
  products: Product[]
  /** The chosen one. */
  product: Product
  choice: Choice
}

/** What follows the choice, by who is reading. */
export function OrderPanel({ standing, order, products, product, choice }: OrderPanelProps) {
  const t = useT()
  const { href, has, format } = useSite()
  if (!standing) return <VisitorOrder product={product} choice={choice} />
  const { state, name, until } = standing
  if (state !== 'subscribed') return <MemberOrder products={products} product={product} choice={choice} standing={standing} order={order} />
  const manage = has('profile')
  return (
    <Standing
      title={t('account.active.title')}
      text={t('account.active.until', { name, date: format.longDate(until ?? '') })}
      to={manage ? href('profile') : choice.referrer}
      action={manage ? t('account.active.manage') : t('account.active.read')}
    />
  )
}
