import type { ReactNode } from 'react'
import { requestMail, type LoginKind } from '../../api/account.ts'
import type { StatusCode } from '../../api/codes.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Trap, trapField } from '../../ui/trap.tsx'
import styles from './account.module.css'
import { agreedField } from './legal.tsx'

/** How a form with an address is checked: which codes are about it, whether or not the answer names the field. */
export const emailRules = {
  invalid: 'INVALID_EMAIL',
  shows: ['email'],
  fields: { INVALID_EMAIL: 'email', FORBIDDEN_DOMAIN: 'email', USER_NOT_EXISTS: 'email', UNDELIVERABLE_EMAIL: 'email' },
} as const

interface EmailFormProps {
  type: LoginKind
  email: string
  referrer: string
  submit: string
  /** The code of what the form was refused with before this page, without scripts. */
  refused: StatusCode | undefined
  children?: ReactNode
}

/** Asks for an address and has the mail sent that signs in or registers. */
export function EmailForm({ type, email, referrer, submit, refused, children }: EmailFormProps) {
  const t = useT()
  const { form, busy, fieldError, formError, code } = useSubmit({
    send: (data) => requestMail({ email: textOf(data, 'email'), type, referrer, trap: textOf(data, trapField), agreed: textOf(data, agreedField) }),
    ...emailRules,
  })
  return (
    <form {...form} className={styles.form} method="post" action="/fns/user-login">
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="referrer" value={referrer} />
      <EmailField label={t('account.email')} defaultValue={email} error={fieldError('email')} />
      <Trap />
      <Button type="submit" wide busy={busy}>
        {busy ? t('action.processing') : submit}
      </Button>
      <FormError>{(code ?? refused) === 'TOO_MANY_REQUESTS' ? t('login.tooMany') : formError}</FormError>
      {children}
    </form>
  )
}
