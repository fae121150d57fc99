import type { ReactNode } from 'react'
import styles from './account.module.css'

/** Other ways than the form: a short heading, a sentence, links. */
export function Elsewhere({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className={styles.elsewhere}>
      <h2 className={styles.elsewhereTitle}>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </section>
  )
}
