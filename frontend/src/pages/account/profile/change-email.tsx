import { askEmail } from '../../../api/profile.ts'
import { NamedReader, useUnsent } from '../../../app/lost-session.tsx'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmailField } from '../../../ui/email-field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import styles from './change-email.module.css'

/** Asks for another address to log in with. */
export function ChangeEmail() {
  const t = useT()
  const unsent = useUnsent('/fns/user-email')('email')
  const { form, busy, fieldError, formError } = useSubmit({
    send: (data) => askEmail(textOf(data, 'email')),
    invalid: 'INVALID_EMAIL',
    shows: ['email'],
    fields: { INVALID_EMAIL: 'email', FORBIDDEN_DOMAIN: 'email', EMAIL_UNCHANGED: 'email', UNDELIVERABLE_EMAIL: 'email' },
  })
  return (
    <Disclosure summary={t('profilePage.login.change')} open={Boolean(unsent)}>
      <form {...form} className={styles.form} method="post" action="/fns/user-email">
        <NamedReader />
        <p className={styles.lead}>{t('profilePage.login.changeLead')}</p>
        <EmailField label={t('profilePage.login.newEmail')} defaultValue={unsent} error={fieldError('email')} />
        <Button type="submit" busy={busy}>
          {busy ? t('action.processing') : t('profilePage.login.ask')}
        </Button>
        <FormError>{formError}</FormError>
      </form>
    </Disclosure>
  )
}
