import { useRef, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { ApiError } from '../../api/error.ts'
import { askHelp, type HelpDraft } from '../../api/help.ts'
import { useSite } from '../../app/site-context.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Trap, trapField } from '../../ui/trap.tsx'
import styles from './forgotten.module.css'

interface ForgottenProps {
  referrer: string
  /** What was typed when the form was refused. */
  typed: HelpDraft | undefined
}

/** A reader who no longer knows the address of the account writes to people. */
export function Forgotten({ referrer, typed }: ForgottenProps) {
  const t = useT()
  const { edition } = useSite()
  const message = useRef<HTMLTextAreaElement>(null)
  const { form, busy, fieldError, formError, code } = useSubmit({
    invalid: 'INVALID_EMAIL',
    shows: ['email', 'message'],
    fields: { INVALID_EMAIL: 'email' },
    send: async (data) => {
      const text = textOf(data, 'message')
      if (!text) {
        message.current?.focus()
        throw new ApiError(0, 'INVALID_REQUIREMENT', 'message')
      }
      return askHelp({ name: textOf(data, 'name'), email: textOf(data, 'email'), message: text, website: textOf(data, trapField), referrer })
    },
  })
  const mail = (parts: ReactNode) => <a href={`mailto:${edition.supportEmail}`}>{parts}</a>
  return (
    <Disclosure summary={t('login.forgotten.title')} open={typed !== undefined}>
      <p className={styles.text}>{t('login.forgotten.text')}</p>
      <form {...form} className={styles.form} method="post" action="/fns/forgotten-email">
        <input type="hidden" name="referrer" value={referrer} />
        <Field label={t('login.forgotten.name')} name="name" maxLength={100} autoComplete="name" defaultValue={typed?.name} />
        <TextArea
          ref={message}
          label={t('login.forgotten.message')}
          name="message"
          required
          rows={4}
          maxLength={1000}
          defaultValue={typed?.message}
          error={code === 'INVALID_REQUIREMENT' ? t('login.forgotten.missing') : fieldError('message')}
        />
        <EmailField label={t('login.forgotten.email')} defaultValue={typed?.email} hint={t('login.forgotten.emailHint')} error={fieldError('email')} />
        <Trap />
        <Button type="submit" variant="outline" wide busy={busy}>
          {busy ? t('action.processing') : t('login.forgotten.send')}
        </Button>
        <FormError>{formError}</FormError>
      </form>
      <p className={styles.text}>
        <FormattedMessage id="login.forgotten.or" values={{ mail, email: edition.supportEmail }} />
      </p>
    </Disclosure>
  )
}
