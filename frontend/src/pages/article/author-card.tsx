import type { Byline } from '../../api/content.ts'
import { Picture } from '../../ui/picture.tsx'
import styles from './author-card.module.css'

/** Those whose opinion follows. */
export function AuthorCard({ authors }: { authors: Byline[] }) {
  return (
    <ul className={styles.cards}>
      {authors.map((author) => (
        <li key={author.name} className={styles.card}>
          {author.portrait && <Picture className={styles.portrait} picture={author.portrait} role="author" decorative />}
          <div>
            <p className={styles.name}>
              {author.url ? (
                <a href={author.url} rel="author">
                  {author.name}
                </a>
              ) : (
                author.name
              )}
            </p>
            {author.role && <p className={styles.role}>{author.role}</p>}
            {author.bio && <p className={styles.bio}>{author.bio}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
