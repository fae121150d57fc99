import { clsx } from 'clsx/lite'
import { useId, type ReactNode, type Ref, type TextareaHTMLAttributes } from 'react'
import field from './field.module.css'
import styles from './text-area.module.css'

export type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  ref?: Ref<HTMLTextAreaElement>
  hint?: ReactNode
  /** What is wrong with the text. */
  error?: string | undefined
}

/** A Field of several lines. */
export function TextArea({ label, hint, error, id, className, ...input }: TextAreaProps) {
  const own = useId()
  const inputId = id ?? own
  const noteId = `${inputId}-note`
  return (
    <div className={className}>
      <label className={field.label} htmlFor={inputId}>
        {label}
      </label>
      <textarea {...input} id={inputId} className={clsx(field.input, styles.area)} aria-invalid={error ? true : undefined} aria-describedby={noteId} />
      <p id={noteId} className={error ? field.error : field.hint} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
