import { clsx } from 'clsx/lite'
import type { ArticleData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useToday } from '../../app/use-today.ts'
import { MostRead } from '../../blocks/most-read.tsx'
import { AuthorCard } from './author-card.tsx'
import { Figure } from './figure.tsx'
import { Film, isFilm } from './film.tsx'
import { Further } from './further.tsx'
import { Head } from './head.tsx'
import { Meta } from './meta.tsx'
import { Related } from './related.tsx'
import { Text } from './text.tsx'
import styles from './article.module.css'

/** Kinds of articles that are somebody's: they introduce their author. */
const authored = ['comment_article', 'weekly_topic_article']

export function Page({ page }: PageProps<ArticleData>) {
  const today = useToday(page)
  const { card, related, mostRead: rail } = page.data
  const personal = authored.includes(card.type)
  const film = isFilm(card)
  return (
    <>
      <article className={clsx(styles.article, card.type === 'comment_article' && styles.opinion, film && styles.watched)}>
        {film ? <Film data={page.data} /> : <Head data={page.data} />}
        {personal && (card.authors?.length ?? 0) > 0 && (
          <div className={styles.author}>
            <AuthorCard authors={card.authors ?? []} />
          </div>
        )}
        <div className={styles.meta}>
          <Meta data={page.data} today={today} named={!personal} />
        </div>
        {!film && <Figure card={card} />}
        <Text page={page} />
        {rail.length > 0 && (
          <aside className={styles.rail} data-print="hide">
            <div className={styles.sticky}>
              <MostRead cards={rail} />
            </div>
          </aside>
        )}
      </article>
      <div className={styles.after} data-print="hide">
        <Related cards={related} today={today} />
        <Further authors={card.authors} topic={page.data.topic} />
      </div>
    </>
  )
}
