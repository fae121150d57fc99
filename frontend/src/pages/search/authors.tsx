import type { Byline } from '../../api/content.ts'
import { Portrait } from '../../blocks/portrait.tsx'
import styles from './authors.module.css'

/** People who write, each with their picture and what they are. */
export function Authors({ title, authors, aside = false }: { title: string; authors: Byline[]; aside?: boolean }) {
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul className={aside ? styles.column : styles.row}>
        {authors.map((author) => (
          <li key={author.slug ?? author.name} className={styles.author}>
            <div className={styles.portrait}>
              <Portrait author={author} />
            </div>
            <p className={styles.who}>
              {author.url ? (
                <a className={styles.name} href={author.url}>
                  {author.name}
                </a>
              ) : (
                <span className={styles.name}>{author.name}</span>
              )}
              {author.role && <span className={styles.role}>{author.role}</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
