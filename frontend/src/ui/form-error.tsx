import type { ReactNode } from 'react'
import styles from './field.module.css'

/** What is wrong with a form as a whole. Its lines are there before the words are, so nothing moves and they are read out. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <p className={styles.formError} role="alert">
      {children}
    </p>
  )
}
