import type { FocusData } from '../../../api/content.ts'
import type { PageProps } from '../../../app/page-module.ts'
import { CommentName } from './comment-name.tsx'
import { InvoiceData } from './invoice-data.tsx'
import { Plan } from './plan.tsx'

/** One thing of the account on a page of its own; the address says which. */
export function Page({ page }: PageProps<FocusData>) {
  const { comment_name: name, invoice_data: data, plan } = page.data
  if (data) return <InvoiceData {...data} />
  if (plan) return <Plan {...plan} />
  return <CommentName value={name?.value ?? ''} url={page.url} />
}
