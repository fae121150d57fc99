import type { LoginData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { statusOf } from '../../app/status.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { backTo } from './back-to.ts'
import { Elsewhere } from './elsewhere.tsx'
import { EmailForm } from './email-form.tsx'
import { InAppNote } from './in-app-note.tsx'
import { Legal } from './legal.tsx'
import { Subscribe } from './subscribe.tsx'

export function Page({ page }: PageProps<LoginData>) {
  const t = useT()
  const { edition, href } = useSite()
  const { email, referrer, inApp } = page.data
  const { freeArticles, period } = edition.limits
  const lead = freeArticles > 0 ? t('registration.lead', { count: freeArticles, period }) : t('login.lead')
  const aside = (
    <Elsewhere title={t('registration.hasAccount')} text={t('login.lead')}>
      <a className={shared.way} href={href('login', {}, backTo(referrer))}>
        {t('login.submit')}
      </a>
      <Subscribe referrer={referrer} />
    </Elsewhere>
  )
  return (
    <FormPage title={t('registration.title')} lead={lead} aside={aside}>
      <InAppNote app={inApp} />
      <EmailForm type="registration" email={email} referrer={referrer} submit={t('registration.submit')} refused={statusOf(page.url)?.code}>
        <Legal />
      </EmailForm>
    </FormPage>
  )
}
