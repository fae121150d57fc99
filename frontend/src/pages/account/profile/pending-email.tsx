import type { ProfileData } from '../../../api/content.ts'
import { confirmEmail } from '../../../api/profile.ts'
import { NamedReader, useUnsent } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import styles from './change-email.module.css'
import { KeepPasskeys } from './keep-passkeys.tsx'
import facts from './profile.module.css'

type Change = NonNullable<ProfileData['login']['change']>

/** A change of address that waits for its two mailboxes. */
export function PendingEmail({ email, oldConfirmed, newConfirmed, until }: Change) {
  const t = useT()
  const { format } = useSite()
  const unsent = useUnsent('/fns/user-email/confirm')
  const { form, busy, fieldError, formError } = useSubmit({
    send: (data) => confirmEmail(textOf(data, 'code'), data.has('keep_passkeys')),
    invalid: 'INVALID_CODE',
    shows: ['code'],
    fields: { INVALID_CODE: 'code', TOKEN_USED: 'code', TOO_MANY_ATTEMPTS: 'code' },
  })
  const state = (done: boolean) => t(done ? 'profilePage.login.confirmed' : 'profilePage.login.waiting')
  return (
    <div className={styles.pending}>
      <h3 className={styles.title}>{t('profilePage.login.pending', { email })}</h3>
      <dl className={facts.facts}>
        <div>
          <dt>{t('profilePage.login.oldSide')}</dt>
          <dd>{state(oldConfirmed)}</dd>
        </div>
        <div>
          <dt>{t('profilePage.login.newSide')}</dt>
          <dd>{state(newConfirmed)}</dd>
        </div>
      </dl>
      <p className={styles.lead}>{t('profilePage.login.until', { at: format.dateTime(until) })}</p>
      <form {...form} className={styles.form} method="post" action="/fns/user-email/confirm">
        <NamedReader />
        <Field
          label={t('profilePage.login.code')}
          name="code"
          required
          maxLength={12}
          inputMode="numeric"
          autoComplete="one-time-code"
          defaultValue={unsent('code')}
          error={fieldError('code')}
        />
        <KeepPasskeys />
        <Button type="submit" busy={busy}>
          {busy ? t('action.processing') : t('profilePage.login.confirm')}
        </Button>
        <FormError>{formError}</FormError>
      </form>
      <form method="post" action="/fns/user-email/cancel" data-native>
        <NamedReader />
        <Button type="submit" variant="outline" size="small">
          {t('profilePage.login.cancel')}
        </Button>
      </form>
    </div>
  )
}
