import { useId } from 'react'
import styles from './invoice.module.css'

/** Who sells, or who buys; lines with nothing on them are left out. */
export function Party({ title, lines }: { title: string; lines: string[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.name}>
        {title}
      </h2>
      {lines
        .map((line) => line.trim())
        .filter(Boolean)
        .map((line) => (
          <p key={line}>{line}</p>
        ))}
    </section>
  )
}
