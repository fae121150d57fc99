import styles from './star.module.css'

/** A small star between two lines: the one ornament that the paper allows itself, once a year. */
export function Star() {
  return (
    <div className={styles.line} aria-hidden="true">
      <svg className={styles.star} viewBox="0 0 32 32">
        <path d="M16 0 17.8 12.4 25 7l-5.4 7.2L32 16l-12.4 1.800L25 25l-7.2-5.4L16 32l-1.800-12.4L7 25l5.4-7.2L0 16l12.4-1.800L7 7l7.2 5.4Z" />
      </svg>
    </div>
  )
}
