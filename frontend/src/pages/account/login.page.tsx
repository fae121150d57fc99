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
import { Forgotten } from './forgotten.tsx'
import { InAppNote } from './in-app-note.tsx'
import { Legal } from './legal.tsx'
import { PasskeyLogin } from './passkey-login.tsx'
import { Subscribe } from './subscribe.tsx'

export function Page({ page }: PageProps<LoginData>) {
  const t = useT()
  const { href } = useSite()
  const { email, referrer, inApp, forgotten } = page.data
  const aside = (
    <>
      <Elsewhere title={t('login.noAccount.title')} text={t('login.noAccount.text')}>
        <a className={shared.way} href={href('registration', {}, backTo(referrer))}>
          {t('registration.submit')}
        </a>
        <Subscribe referrer={referrer} />
      </Elsewhere>
      <Forgotten referrer={referrer} typed={forgotten} />
    </>
  )
  return (
    <FormPage title={t('login.title')} lead={t('login.lead')} aside={aside}>
      <InAppNote app={inApp} />
      <EmailForm type="login" email={email} referrer={referrer} submit={t('login.submit')} refused={forgotten ? undefined : statusOf(page.url)?.code}>
        <Legal />
      </EmailForm>
      <PasskeyLogin referrer={referrer} />
    </FormPage>
  )
}
