import { useEffect, useRef, useState } from 'react'
import { signInByCode, type LoginKind } from '../../api/account.ts'
import { ApiError } from '../../api/error.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { CodeInput } from '../../ui/code-input.tsx'
import { FormError } from '../../ui/form-error.tsx'
import styles from './account.module.css'

/** What is said about the code itself; a lost connection is not. */
const codeCodes = { INVALID_CODE: 'code', CODE_USED: 'code', TOO_MANY_ATTEMPTS: 'code', EXPIRED_TOKEN: 'code', NOT_LAST_TOKEN: 'code', TOKEN_USED: 'code' } as const

interface CodeFormProps {
  kind: LoginKind
  email: string
  referrer: string
}

/** Takes the code of the mail, and sends it with its sixth digit. */
export function CodeForm({ kind, email, referrer }: CodeFormProps) {
  const t = useT()
  const form = useRef<HTMLFormElement | null>(null)
  const [attempt, setAttempt] = useState(0)
  const { form: own, busy, fieldError, formError } = useSubmit({
    shows: ['code'],
    fields: codeCodes,
    send: async (data) => {
      const code = textOf(data, 'code')
      if (code.length < 6) throw new ApiError(0, 'INVALID_CODE', 'code')
      try {
        return await signInByCode({ email, code, referrer, type: kind })
      } catch (error) {
        setAttempt((before) => before + 1)
        throw error
      }
    },
  })
  // A refused code makes way for another.
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLInputElement>('fieldset input')?.focus()
  }, [attempt])

  return (
    <form
      method="post"
      action="/api/login-code-validation"
      className={styles.form}
      onSubmit={own.onSubmit}
      ref={(element) => {
        form.current = element
        own.ref(element)
      }}
    >
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="referrer" value={referrer} />
      <input type="hidden" name="type" value={kind} />
      <CodeInput
        key={attempt}
        label={t('sent.code.label')}
        disabled={busy}
        error={fieldError('code')}
        // Once the whole code is in the form.
        onComplete={() => setTimeout(() => form.current?.requestSubmit())}
      />
      <Button type="submit" wide busy={busy}>
        {busy ? t('action.processing') : t('sent.code.submit')}
      </Button>
      <FormError>{formError}</FormError>
    </form>
  )
}
