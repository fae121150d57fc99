import type { LoginData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import styles from './account.module.css'
import { backTo } from './back-to.ts'
import { Elsewhere } from './elsewhere.tsx'
import { EmailForm } from './email-form.tsx'
import { Legal } from './legal.tsx'
import { PasskeyLogin } from './passkey-login.tsx'
import { Subscribe } from './subscribe.tsx'

export function Page({ page }: PageProps<LoginData>) {
  const t = useT()
  const { href } = useSite()
  const { email, referrer } = page.data
  const aside = (
    <>
      <Elsewhere title={t('login.noAccount.title')} text={t('login.noAccount.text')}>
        <a className={styles.way} href={href('registration', {}, backTo(referrer))}>
          {t('registration.submit')}
        </a>
        <Subscribe referrer={referrer} />
      </Elsewhere>
      <Forgotten />
    </>
  )
  return (
    <FormPage title={t('login.title')} lead={t('login.lead')} aside={aside}>
      <EmailForm type="login" email={email} referrer={referrer} submit={t('login.submit')}>
        <Legal />
      </EmailForm>
      <PasskeyLogin referrer={referrer} />
    </FormPage>
  )
}

/** A reader who no longer knows the address of the account writes to people. */
function Forgotten() {
  const t = useT()
  const { edition } = useSite()
  const letter = `mailto:${edition.supportEmail}?subject=${encodeURIComponent(t('login.forgotten.subject'))}`
  return (
    <Disclosure summary={t('login.forgotten.title')}>
      <p className={styles.forgotten}>{t('login.forgotten.text')}</p>
      <ButtonLink href={letter} variant="outline" size="small">
        {t('login.forgotten.send')}
      </ButtonLink>
    </Disclosure>
  )
}
