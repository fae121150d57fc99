import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import styles from './field.module.css'

export type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: ReactNode
  /** What is wrong with the value. */
  error?: string
}

/** A labelled input. The line below it is kept free for what may be wrong, so nothing moves when it is. */
export function Field({ label, hint, error, id, className, ...input }: FieldProps) {
  const own = useId()
  const inputId = id ?? own
  const noteId = `${inputId}-note`
  return (
    <div className={className}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      <input {...input} id={inputId} className={styles.input} aria-invalid={error ? true : undefined} aria-describedby={noteId} />
      <p id={noteId} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
