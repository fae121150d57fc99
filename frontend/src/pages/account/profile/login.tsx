import type { ProfileData } from '../../../api/content.ts'
import { useT } from '../../../i18n/use-t.ts'
import { ChangeEmail } from './change-email.tsx'
import { PendingEmail } from './pending-email.tsx'
import styles from './profile.module.css'
import { Section } from './section.tsx'

/** What the reader logs in with, and a change of it. */
export function Login({ data: { login } }: { data: ProfileData }) {
  const t = useT()
  return (
    <Section title={t('profilePage.login.title')}>
      <dl className={styles.facts}>
        <div>
          <dt>{t('profilePage.login.email')}</dt>
          <dd>{login.email}</dd>
        </div>
      </dl>
      <p>{t('profilePage.login.note')}</p>
      {login.change && <PendingEmail {...login.change} />}
      <ChangeEmail />
    </Section>
  )
}
