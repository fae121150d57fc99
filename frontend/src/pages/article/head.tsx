import type { ArticleData } from '../../api/content.ts'
import { Breadcrumbs } from '../../blocks/breadcrumbs.tsx'
import styles from './article.module.css'

/** Where the article belongs, what it is called and what it says in one sentence. */
export function Head({ data: { card, sections } }: { data: ArticleData }) {
  const crumbs = sections ?? (card.section ? [card.section] : [])
  return (
    <header>
      {crumbs.length > 0 && <Breadcrumbs sections={crumbs} />}
      <h1 tabIndex={-1} className={styles.title}>
        {card.title}
      </h1>
      {card.excerpt && <p className={styles.standfirst}>{card.excerpt}</p>}
    </header>
  )
}
