import { useId, type SelectHTMLAttributes } from 'react'
import styles from './field.module.css'

export type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string
  /** What is wrong with the choice. */
  error?: string | undefined
}

/** A labelled choice of one from a long list, with the same free line below it as a field. */
export function Select({ label, error, className, children, ...select }: SelectProps) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div className={className}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id} className={styles.input} aria-invalid={error ? true : undefined} aria-describedby={noteId}>
        {children}
      </select>
      <p id={noteId} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
        {error}
      </p>
    </div>
  )
}
