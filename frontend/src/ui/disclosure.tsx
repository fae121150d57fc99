import type { ReactNode } from 'react'
import styles from './disclosure.module.css'

interface DisclosureProps {
  summary: ReactNode
  /** Of those that share a name, one is open at a time. */
  name?: string
  open?: boolean
  children: ReactNode
}

/** A heading that opens what is below it, with scripts or without. */
export function Disclosure({ summary, name, open, children }: DisclosureProps) {
  return (
    <details className={styles.disclosure} name={name} open={open}>
      <summary className={styles.summary}>{summary}</summary>
      <div className={styles.content}>{children}</div>
    </details>
  )
}
