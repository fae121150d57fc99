import type { ReactNode } from 'react'
import styles from './foot.module.css'

interface FootProps {
  /** Names the region; unique on the page. */
  id: string
  title: string
  /** What went wrong; it is read out when it appears. */
  failed?: string | false
  buttons: ReactNode
  children: ReactNode
}

/** A region at the foot of the window that asks something: the page stays usable. */
export function Foot({ id, title, failed, buttons, children }: FootProps) {
  return (
    <section className={styles.foot} aria-labelledby={id} data-print="hide">
      <div className={styles.inner}>
        <div className={styles.text}>
          <h2 id={id}>{title}</h2>
          {children}
          <p role="alert" className={styles.failed}>
            {failed}
          </p>
        </div>
        <div className={styles.buttons}>{buttons}</div>
      </div>
    </section>
  )
}
