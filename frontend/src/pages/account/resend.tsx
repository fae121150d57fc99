import { useEffect, useState, type FormEvent } from 'react'
import { requestMail, type LoginKind } from '../../api/account.ts'
import { reportError } from '../../app/report.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import styles from './account.module.css'

/** How long until another mail may be asked for, in seconds. */
const pause = 60

type State = 'default' | 'sending' | 'sent' | 'error'

interface ResendProps {
  kind: LoginKind
  email: string
  referrer: string
}

/** Has the mail sent once more, and says that it was. */
export function Resend({ kind, email, referrer }: ResendProps) {
  const t = useT()
  const [state, setState] = useState<State>('default')
  useEffect(() => {
    if (state !== 'sent') return
    const timer = setTimeout(() => setState('default'), pause * 1000)
    return () => clearTimeout(timer)
  }, [state])

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!email) {
      reportError(new Error('Login resend email issue, payload missing.'), 'sent')
      return setState('error')
    }
    setState('sending')
    requestMail({ email, type: kind, referrer }).then(
      () => setState('sent'),
      (error: unknown) => {
        reportError(new Error('Resend email failed.', { cause: error }), 'sent')
        setState('error')
      },
    )
  }
  const labels = { default: t('sent.resend.submit'), sending: t('action.processing'), sent: t('sent.resend.sent'), error: t('sent.resend.submit') }
  const notes = { default: t('sent.resend.hint'), sending: t('sent.resend.hint'), sent: t('sent.resend.wait', { count: pause }), error: t('sent.resend.error') }
  return (
    <form method="post" action="/fns/user-login" className={styles.resend} onSubmit={onSubmit}>
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="type" value={kind} />
      <input type="hidden" name="referrer" value={referrer} />
      <p className={styles.resendNote} role="status" data-state={state}>
        {notes[state]}
      </p>
      <Button type="submit" variant="outline" wide busy={state === 'sending'} disabled={state === 'sent'}>
        {labels[state]}
      </Button>
    </form>
  )
}
