import type { NewslettersData, NewsletterStepData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { Choose } from './choose.tsx'
import { Step } from './step.tsx'

/** The page of all newsletters, and the small ones that letters lead to: one file, so that the table of pages stays short. */
export function Page({ page }: PageProps<NewslettersData | NewsletterStepData>) {
  return 'step' in page.data ? <Step {...page.data} /> : <Choose {...page.data} />
}
