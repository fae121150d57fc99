import type { SaleData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import shared from '../../../blocks/form-page.module.css'
import sale from './sale.module.css'
import styles from './transfer.module.css'

/** What a banking app needs for a transfer, as a code and in words; afterwards, how the order stands. */
export function Transfer({ transfer: data }: SaleData) {
  const t = useT()
  const { href, has } = useSite()
  if (!data) return null
  const { state, product, amount, reference, iban, due, last, number } = data
  if (state !== 'open') {
    return (
      <FormPage title={t(`sale.transfer.${state}.title`)} lead={t(`sale.transfer.${state}.text`, { product, amount })}>
        {state === 'paid' ? (
          <ButtonLink href={href('front')}>{t('sale.read')}</ButtonLink>
        ) : (
          has('account') && <ButtonLink href={href('account')}>{t('account.all')}</ButtonLink>
        )}
      </FormPage>
    )
  }
  const rows = [
    [t('sale.transfer.payee'), data.payee],
    ['IBAN', <span key="iban" className={styles.whole}>{iban}</span>],
    ['BIC / SWIFT', data.bic],
    [t('sale.transfer.bank'), data.bank],
    [t('sale.transfer.amount'), amount],
    [t(`sale.transfer.reference.${data.kind}`), <span key="reference" className={styles.whole}>{reference}</span>],
    [t('sale.transfer.due'), due],
    [t('sale.transfer.for'), <span key="for">{product}, <span className={styles.whole}>{number}</span></span>],
  ] as const
  return (
    <FormPage title={t('sale.transfer.title')} lead={t('sale.transfer.lead', { amount, date: due })}>
      <div className={styles.slip}>
        {data.code && (
          <figure>
            <img className={styles.code} src={data.code} width={256} height={256} alt={t('sale.transfer.alt', { amount, iban, reference })} />
            <figcaption className={styles.caption}>{t(`sale.transfer.format.${data.format}`)}</figcaption>
          </figure>
        )}
        <dl className={styles.rows}>
          {rows.map(([term, value]) => (
            <div key={term} className={styles.row}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className={sale.note}>
        {t(`account.vat.${data.vat}`)} {t('sale.transfer.reads', { date: last })}
      </p>
      <div data-print="hide" className={sale.print}>
        <Button variant="outline" onClick={() => window.print()}>
          {t('sale.transfer.print')}
        </Button>
        {data.document && (
          <a className={shared.way} href={data.document}>
            {t('sale.transfer.document', { number })}
          </a>
        )}
      </div>
    </FormPage>
  )
}
