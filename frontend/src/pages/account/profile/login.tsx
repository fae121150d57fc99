import type { ProfileData } from '../../../api/content.ts'
import { useT } from '../../../i18n/use-t.ts'
import styles from './profile.module.css'
import { Section } from './section.tsx'

/** What the reader logs in with. */
export function Login({ data }: { data: ProfileData }) {
  const t = useT()
  return (
    <Section title={t('profilePage.login.title')}>
      <dl className={styles.facts}>
        <div>
          <dt>{t('profilePage.login.email')}</dt>
          <dd>{data.login.email}</dd>
        </div>
      </dl>
      <p>{t('profilePage.login.note')}</p>
    </Section>
  )
}
