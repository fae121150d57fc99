import { useId } from 'react'
import styles from './invoice.module.css'

/** Who sells, or who buys; lines with nothing on them are left out. */
export function Party({ title, lines }: { title: string; lines: (string | [label: string, value: string])[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.name}>
        {title}
      </h2>
      {lines
        .filter((line) => (typeof line === 'string' ? line.trim() : line[1]))
        .map((line) => (
          <p key={String(line)}>
            {typeof line === 'string' ? (
              line.trim()
            ) : (
              <>
                {line[0]}: <span className={styles.number}>{line[1]}</span>
              </>
            )}
          </p>
        ))}
    </section>
  )
}
