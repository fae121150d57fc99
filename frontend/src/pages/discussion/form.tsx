import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react'
import { NamedReader } from '../../app/lost-session.tsx'
import { useSubmit, type Submission } from '../../app/use-submit.ts'
import type { ErrorCode } from '../../api/codes.ts'
import { FormError } from '../../ui/form-error.tsx'
import styles from './discussion.module.css'

/** Where a plain form leads back to. */
export const BackContext = createContext('/')

interface FormProps {
  action: string
  /** Fields that show themselves what is wrong with them. */
  shows?: readonly string[]
  /** What is said of a field that the browser finds empty. */
  invalid?: ErrorCode
  /** The form was asked for: its first field takes the focus. */
  asked?: boolean
  hidden?: Record<string, string>
  send: (data: FormData) => Promise<unknown>
  children: (submission: Submission) => ReactNode
}

/** A form of the discussion: sent by script, or as it is. */
export function Form({ action, shows = [], invalid = 'INVALID_REQUIREMENT', asked = false, hidden = {}, send, children }: FormProps) {
  const back = useContext(BackContext)
  const submission = useSubmit({ send: (data) => send(data).then(() => undefined), shows, invalid })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (asked) form.current?.querySelector<HTMLElement>('textarea, input:not([type=hidden])')?.focus()
  }, [asked])
  const ref = (element: HTMLFormElement | null) => {
    form.current = element
    submission.form.ref(element)
  }
  return (
    <form onSubmit={submission.form.onSubmit} ref={ref} className={styles.form} method="post" action={action}>
      <NamedReader />
      <input type="hidden" name="back" value={back} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children(submission)}
      {submission.formError && <FormError>{submission.formError}</FormError>}
    </form>
  )
}
