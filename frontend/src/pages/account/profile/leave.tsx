import type { ProfileData } from '../../../api/content.ts'
import { NamedReader, useUnsent } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import styles from './leave.module.css'
import { Section } from './section.tsx'

/** Deletes the account in two steps: what happens, and a code from the mailbox. Plain forms, so that it works everywhere. */
export function Leave({ data }: { data: ProfileData }) {
  const t = useT()
  const { format } = useSite()
  const unsent = useUnsent('/user/leave')
  if (!data.leave) return null
  const { asked, access, years } = data.leave
  return (
    <Section title={t('profilePage.leave.title')}>
      <p>{t('profilePage.leave.text')}</p>
      <ul className={styles.happens}>
        {access && <li className={styles.loss}>{t('profilePage.leave.subscription', { date: format.longDate(access) })}</li>}
        <li>{t('profilePage.leave.sessions')}</li>
        <li>{t('profilePage.leave.data')}</li>
        <li>{t('profilePage.leave.comments')}</li>
        <li>{t('profilePage.leave.kept', { years })}</li>
        <li>{t('profilePage.leave.hash')}</li>
      </ul>
      <p>{t(asked ? 'profilePage.leave.sent' : 'profilePage.leave.how')}</p>
      {asked && (
        <form method="post" action="/user/leave" className={styles.confirm}>
          <NamedReader />
          <Field label={t('profilePage.leave.code')} name="code" required inputMode="numeric" autoComplete="one-time-code" maxLength={7} defaultValue={unsent('code')} className={styles.code} />
          <Button type="submit">{t('profilePage.leave.submit')}</Button>
        </form>
      )}
      <form method="post" action="/user/leave/ask">
        <NamedReader />
        <Button type="submit" variant={asked ? 'quiet' : 'outline'}>
          {t(asked ? 'profilePage.leave.resend' : 'profilePage.leave.ask')}
        </Button>
      </form>
    </Section>
  )
}
