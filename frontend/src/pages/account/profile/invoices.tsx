import type { InvoiceEntry, ProfileData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import type { MessageId } from '../../../gen/message-ids.ts'
import { useT } from '../../../i18n/use-t.ts'
import sections from './sections.module.css'
import { Section } from './section.tsx'

const states: Record<string, MessageId> = {
  draft: 'profilePage.invoices.status.draft',
  open: 'profilePage.invoices.status.open',
  paid: 'profilePage.invoices.status.paid',
  void: 'profilePage.invoices.status.failed',
  uncollectible: 'profilePage.invoices.status.failed',
}

/** How an invoice stands, in the words of the list. */
export const stateOf = ({ status }: Pick<InvoiceEntry, 'status'>): MessageId => states[status] ?? 'profilePage.invoices.status.unknown'

/** The reader's invoices, the newest first; a table that becomes a list where there is no room for one. */
export function Invoices({ data }: { data: ProfileData }) {
  const t = useT()
  const { format } = useSite()
  const { invoices } = data
  if (!invoices) return null
  const labels = [t('profilePage.invoices.order'), t('profilePage.invoices.date'), t('profilePage.invoices.status'), t('profilePage.invoices.total'), t('profilePage.invoices.each')]
  return (
    <Section title={t('profilePage.invoices.title')}>
      {invoices.length === 0 ? (
        <p>{t('profilePage.invoices.none')}</p>
      ) : (
        <table className={sections.table}>
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
            {invoices.map((invoice) => {
              const price = format.money(invoice.amount_total, invoice.currency)
              const cells = [<Order key="order" invoice={invoice} />, format.date(invoice.created), t(stateOf(invoice)), price, price]
              return (
                <tr key={invoice.stripe_id}>
                  {cells.map((cell, column) => (
                    <td key={labels[column]} data-label={labels[column]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Section>
  )
}

/** The number, which leads to the document where there is one, and its file. */
function Order({ invoice: { id, number, url, pdf } }: { invoice: InvoiceEntry }) {
  const name = number || id
  return url ? (
    <span>
      <a href={url} target="_blank">
        {name}
      </a>{' '}
      <a href={pdf} download data-native aria-label={`PDF ${name}`}>
        PDF
      </a>
    </span>
  ) : (
    name
  )
}
