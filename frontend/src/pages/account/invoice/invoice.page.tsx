import type { ComponentProps } from 'react'
import type { InvoiceDocument } from '../../../api/content.ts'
import type { PageProps } from '../../../app/page-module.ts'
import { useSite } from '../../../app/site-context.ts'
import type { MessageId } from '../../../gen/message-ids.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './invoice.module.css'
import { Lines } from './lines.tsx'
import { Party } from './party.tsx'

const titles: Record<InvoiceDocument['kind'], MessageId> = { invoice: 'invoice.title.FV', proforma: 'invoice.title.PF', credit: 'invoice.title.CN' }

/** An invoice to read, to print and to keep. What is on paper is what the file has, too. */
export function Page({ page }: PageProps<InvoiceDocument>) {
  const t = useT()
  const { href } = useSite()
  const d = page.data
  return (
    <article className={styles.sheet} data-print="alone">
      <h1 className={styles.title}>
        {t(titles[d.kind])} {d.status === 'void' && `– ${t('invoice.void')} `}
        <span className={styles.number}>{d.invoice_number}</span>
      </h1>
      <div className={styles.ways} data-print="hide">
        <Button variant="outline" size="small" className={styles.scripted ?? ''} onClick={() => window.print()}>
          {t('invoice.print')}
        </Button>
        <a href={d.pdf} download data-native>
          {t('invoice.pdf')}
        </a>
        <a href={d.xml} download data-native>
          {t('invoice.xml')}
        </a>
        <a href={href('profile')}>{t('invoice.back')}</a>
      </div>
      <div className={styles.parties}>
        <Party title={t('invoice.supplier')} lines={supplierOf(d, t)} />
        <Party title={t('invoice.customer')} lines={customerOf(d, t)} />
      </div>
      <Facts document={d} />
      <Lines document={d} />
      {d.other_buyer && <p className={styles.note}>{t(d.kind === 'credit' ? 'invoice.otherBuyer.CN' : 'invoice.otherBuyer.FV')}</p>}
      {d.kind === 'proforma' && <p className={styles.note}>{t('invoice.notTax')}</p>}
      {d.vat_note && <p className={styles.note}>{d.vat_note}</p>}
    </article>
  )
}

type T = ReturnType<typeof useT>
type Lined = ComponentProps<typeof Party>['lines'][number]

function supplierOf({ supplier: s }: InvoiceDocument, t: T): Lined[] {
  return [
    s.name, s.street, `${s.postal_code} ${s.city}`, s.country_name,
    [t('invoice.companyId'), s.company_id], [t('invoice.taxId'), s.tax_id], [t('invoice.vatId'), s.vat_id], s.register ?? '',
    s.bank && `${t('invoice.bank')}: ${s.bank}`, [t('invoice.iban'), s.iban], [t('invoice.swift'), s.swift], s.email,
  ]
}

function customerOf(d: InvoiceDocument, t: T): Lined[] {
  return [
    d.company_name, d.name, d.line1, d.line2, `${d.postal_code} ${d.city}`, d.line1 || d.city ? d.country_name : '',
    [t('invoice.companyId'), d.company_ICO], [t('invoice.taxId'), d.company_DIC], [t('invoice.vatId'), d.company_IC_DPH], d.email,
  ]
}

function Facts({ document: d }: { document: InvoiceDocument }) {
  const t = useT()
  const { format } = useSite()
  const facts: [MessageId, string][] = [
    ['invoice.issued', format.date(d.issue_date)],
    ['invoice.delivered', d.delivery_date && format.date(d.delivery_date)],
    ['invoice.due', format.date(d.due_date)],
    ['invoice.order', d.order_number],
    ['invoice.ordered', format.date(d.order_date)],
    ['invoice.method', t(d.is_bank_transfer ? 'invoice.method.transfer' : 'invoice.method.card')],
    [/^(SK|CZ)/.test(d.supplier.iban) ? 'invoice.symbol' : 'invoice.reference', d.bank_transfer_code],
    ['invoice.refers', d.refers ? `${d.refers.number}, ${format.date(d.refers.issued)}` : ''],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
