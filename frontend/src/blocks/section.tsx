import { useId, type ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import styles from './section.module.css'

interface SectionProps {
  title: string
  /** Where all of it is. */
  href?: string
  /** What that is called, where it is no articles. */
  all?: string
  /** Opinion stands on a tint. */
  tint?: boolean
  children: ReactNode
}

/** A part of a page: a strong rule, its name, and a way to all of it. */
export function Section({ title, href, all, tint = false, children }: SectionProps) {
  const t = useT()
  const id = useId()
  return (
    <section className={tint ? styles.tint : styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {href ? <a href={href}>{title}</a> : title}
        </h2>
        {href && (
          <a className={styles.all} href={href} aria-label={all ? undefined : t('section.allOf', { name: title })}>
            {all ?? t('section.all')}
          </a>
        )}
      </div>
      {children}
    </section>
  )
}
