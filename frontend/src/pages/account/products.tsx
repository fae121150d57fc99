import type { Product } from '../../api/content.ts'
import { asSafeHtml } from '../../api/html.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Prose } from '../../ui/prose.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { orderForm } from './order.ts'
import { planOf } from './plan.ts'
import styles from './products.module.css'

interface ProductsProps {
  products: Product[]
  selected: string
  /** What the reader has already. */
  current?: string
  onSelect: (type: Product['product_type']) => void
}

/** What there is to choose from, side by side like columns of the paper. */
export function Products({ products, selected, current, onSelect }: ProductsProps) {
  const t = useT()
  return (
    <fieldset className={styles.products}>
      <legend>
        <VisuallyHidden>{t('account.products')}</VisuallyHidden>
      </legend>
      {products.map((product) => (
        <ProductColumn key={product.product_type} product={product} selected={selected === product.product_type} current={current === product.product_type} onSelect={onSelect} />
      ))}
    </fieldset>
  )
}

interface ProductColumnProps {
  product: Product
  selected: boolean
  current: boolean
  onSelect: ProductsProps['onSelect']
}

function ProductColumn({ product, selected, current, onSelect }: ProductColumnProps) {
  const t = useT()
  const type = product.product_type
  const id = `product-${type}`
  const badge = current ? t('account.current') : product.additionnal_text
  return (
    <div className={styles.product} data-selected={selected || undefined}>
      <div className={styles.head}>
        <p className={styles.badge} id={`${id}-badge`}>
          {badge}
        </p>
        <input
          className={styles.radio}
          type="radio"
          name="product_type"
          form={orderForm}
          id={id}
          value={type}
          defaultChecked={selected}
          onChange={() => onSelect(type)}
          aria-describedby={`${id}-badge ${id}-price`}
        />
        <label className={styles.name} htmlFor={id}>
          {product.product_name}
        </label>
      </div>
      <Price id={`${id}-price`} product={product} />
      <div className={styles.details}>
        {product.product_description && <Prose name={id} html={asSafeHtml(product.product_description)} />}
        {product.tooltip_text && <p className={styles.tooltip}>{product.tooltip_text}</p>}
      </div>
    </div>
  )
}

/** The price of the first payment, large, and below it for how long, and what follows. */
function Price({ id, product }: { id: string; product: Product }) {
  const t = useT()
  const { format } = useSite()
  const plan = planOf(product)
  if (!plan) {
    return (
      <p className={styles.price} id={id}>
        <strong>{product.product_type === 'no_product' ? t('account.free') : product.price}</strong>
      </p>
    )
  }
  const every = t(`account.every.${plan.unit}`, { count: plan.count })
  return (
    <p className={styles.price} id={id}>
      <strong>{format.money(plan.first, plan.currency)}</strong>{' '}
      <span>{plan.intro ? t(`account.first.${plan.unit}`, { count: plan.intro }) : every}</span>
      {product.saving && <span className={styles.saving}>{t('account.saves', { percent: product.saving })}</span>}
      {plan.intro > 0 && (
        <>
          {' '}
          <span className={styles.then}>{t('account.then', { price: format.money(plan.full, plan.currency), every })}</span>
        </>
      )}
    </p>
  )
}
