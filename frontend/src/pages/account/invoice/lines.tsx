import type { InvoiceDocument } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import styles from './invoice.module.css'

/** Categories of VAT without a rate: the supplier pays none, or the customer owes it. */
const untaxed = ['O', 'AE']

/** What was sold, and the sums below it. */
export function Lines({ document: d }: { document: InvoiceDocument }) {
  const t = useT()
  const { format } = useSite()
  const money = (minor: number) => format.money(minor, d.currency)
  const rate = (permille: number) => `${format.number(permille / 10, permille % 10 ? 1 : 0)}\u00a0%`
  const labels = [t('invoice.product'), t('invoice.quantity'), t('invoice.unitNet'), t('invoice.vat'), t('invoice.total')]
  const due = d.invoice_total - d.amount_paid
  const sums: [string, number, boolean?][] = [
    [t('invoice.subtotal'), d.subtotal],
    ...d.taxes.filter((tax) => !untaxed.includes(tax.category)).map((tax): [string, number] => [`${t('invoice.vat')} ${rate(tax.permille)} (${t('invoice.base')} ${money(tax.net)})`, tax.vat]),
    ...(d.rounding ? [[t('invoice.rounding'), d.rounding] as [string, number]] : []),
    [t('invoice.total'), d.invoice_total, true],
    ...(d.amount_paid && !(d.kind === 'credit' && d.other_buyer) ? [(d.kind === 'credit' ? [t('invoice.returned'), -d.amount_paid] : [t('invoice.paid'), d.amount_paid]) as [string, number]] : []),
    ...(d.kind === 'credit' ? [] : [[t('invoice.toPay'), due, true] as [string, number, boolean]]),
  ]
  return (
    <>
      <table className={styles.lines}>
        <thead>
          <tr>
            {labels.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {d.lines.map((line, index) => (
            <tr key={index}>
              <td data-label={labels[0]}>
                {line.name}
                {line.from && line.to && (
                  <span className={styles.period}>
                    {format.date(line.from)} – {format.date(line.to)}
                  </span>
                )}
              </td>
              <td data-label={labels[1]}>1</td>
              <td data-label={labels[2]}>{money(line.net)}</td>
              <td data-label={labels[3]}>{untaxed.includes(line.category) ? '–' : rate(line.permille)}</td>
              <td data-label={labels[4]}>{money(line.gross)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={styles.sums}>
        {sums.map(([label, minor, strong]) => (
          <div key={label} data-strong={strong || undefined}>
            <dt>{label}</dt>
            <dd>{money(minor)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
