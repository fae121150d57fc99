import styles from './field.module.css'

/** What is wrong with a form as a whole. Its line is there before the words are, so nothing moves and they are read out. */
export function FormError({ children }: { children: string | undefined }) {
  return (
    <p className={styles.error} role="alert">
      {children}
    </p>
  )
}
