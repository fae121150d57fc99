import type { ComponentType } from 'react'
import type { ProfileData } from '../../../api/content.ts'
import type { PageProps } from '../../../app/page-module.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Consent } from './consent.tsx'
import { Export } from './export.tsx'
import { Invoices } from './invoices.tsx'
import { Leave } from './leave.tsx'
import { LoginRequests } from './login-requests.tsx'
import { Login } from './login.tsx'
import { Name } from './name.tsx'
import { Newsletters } from './newsletters.tsx'
import { Passkeys } from './passkeys.tsx'
import { Payment } from './payment.tsx'
import { Sessions } from './sessions.tsx'
import { Subscription } from './subscription.tsx'

/** The sections, from top to bottom; each reads its part of the page's data. */
const sections: readonly ComponentType<{ data: ProfileData }>[] = [LoginRequests, Subscription, Login, Name, Passkeys, Sessions, Payment, Invoices, Newsletters, Consent, Export, Leave]

export function Page({ page }: PageProps<ProfileData>) {
  const t = useT()
  return (
    <FormPage title={t('profilePage.title')}>
      {sections.map((One, index) => (
        <One key={index} data={page.data} />
      ))}
    </FormPage>
  )
}
