import { useEffect, useRef, type ReactNode } from 'react'
import styles from './form-page.module.css'

interface FormPageProps {
  title: string
  lead?: ReactNode
  /** Beside the form, or below it on a narrow screen. */
  aside?: ReactNode
  /** Names what the page is showing. When it changes, the heading takes the focus, so that the change is read out. */
  moment?: string
  children?: ReactNode
}

/** A page about one thing to do: its name, a sentence, a form, and other ways beside it. */
export function FormPage({ title, lead, aside, moment = '', children }: FormPageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(moment)
  useEffect(() => {
    if (shown.current === moment) return
    shown.current = moment
    heading.current?.focus()
  }, [moment])
  return (
    <div className={aside ? styles.page : styles.alone}>
      <div className={styles.main}>
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        <div className={styles.body}>{children}</div>
      </div>
      {aside && <aside className={styles.aside}>{aside}</aside>}
    </div>
  )
}
