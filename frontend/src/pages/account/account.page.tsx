import { useEffect, useRef, useState } from 'react'
import type { AccountData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { queryValue } from '../../app/query.ts'
import { useSite } from '../../app/site-context.ts'
import shared from '../../blocks/form-page.module.css'
import { useT } from '../../i18n/use-t.ts'
import { offered, preselected, readChoice, choiceUrl } from './order.ts'
import styles from './order.module.css'
import { OrderPanel } from './order-panel.tsx'
import { Products } from './products.tsx'
import { Standing } from './standing.tsx'

/** Choosing a subscription: a visitor goes on to the login, a reader to the payment, a subscriber sees what there is. */
export function Page({ page }: PageProps<AccountData>) {
  const t = useT()
  const { edition, href } = useSite()
  const { standing } = page.data // of who reads: the page is made anew for every reader
  const former = standing?.state === 'former'
  const products = edition.flags.subscriptions === false ? [] : offered(page.data.products, standing !== undefined)

  // The server's page is for everybody's query; the address bar may say more.
  const [choice, setChoice] = useState(() => readChoice(page.url))
  const [selected, select] = useState(() => preselected(products, choice.product))
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const asked = readChoice(window.location.href)
    setChoice(asked)
    const radio = list.current?.querySelector<HTMLInputElement>(`#product-${CSS.escape(asked.product)}`)
    if (radio) radio.checked = true
    // What a browser has kept of an earlier visit counts too.
    const checked = list.current?.querySelector<HTMLInputElement>('input[type=radio]:checked')
    if (checked) select(checked.value as typeof selected)
  }, [])

  const product = products.find(({ product_type }) => product_type === selected) ?? products[0]
  const email = edition.supportEmail
  const all = choiceUrl(href, { ...choice, product: '', pay: false })
  return (
    <div className={styles.page} ref={list}>
      <header className={styles.header}>
        <h1 className={shared.title} tabIndex={-1}>
          {t(standing?.state === 'subscribed' ? 'account.current' : 'account.headline')}
        </h1>
        {!former && <p className={shared.lead}>{t('account.lead')}</p>}
        {queryValue(page.url, 'cancelled') && (
          <p className={styles.cancelled} role="status">
            {t('account.cancelled')}
          </p>
        )}
      </header>
      {product ? (
        <>
          {choice.product && products.length === 1 && (
            <a className={styles.all} href={all}>
              {t('account.all')}
            </a>
          )}
          <Products products={products} selected={product.product_type} current={standing?.product} onSelect={select} />
          <OrderPanel standing={standing} order={page.data.order} products={products} product={product} choice={choice} />
        </>
      ) : former ? (
        <Standing title={t('account.legacy.title')} text={t('account.legacy.text', { email })} to={`mailto:${email}`} action={t('account.legacy.write')} />
      ) : choice.product && edition.flags.subscriptions !== false ? (
        <Standing title={t('account.gone.title')} text={t('account.gone.text')} to={all} action={t('account.all')} />
      ) : (
        <Standing title={t('account.none.title')} text={t('account.none.text')} to={href('registration')} action={t('registration.submit')} />
      )}
    </div>
  )
}
