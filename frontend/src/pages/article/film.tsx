import type { ArticleData, Card } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Player } from '../../ui/player.tsx'
import styles from './film.module.css'
import { Figure } from './figure.tsx'
import { Head } from './head.tsx'

/** Articles that are watched: a talk of the salon, or a video. */
export const isFilm = ({ type }: Card) => type === 'salon_article' || type === 'video'

/** The film on its panel, under its title. Where it may not be seen its picture stands there, and the offer below. */
export function Film({ data }: { data: ArticleData }) {
  const t = useT()
  const { format } = useSite()
  const { card } = data
  return (
    <div className={styles.panel}>
      <Head data={data} />
      {card.video ? (
        <figure className={styles.film}>
          <Player video={card.video} title={card.title} poster={card.picture} />
          {card.videoSeconds !== undefined && <figcaption className={styles.length}>{t('card.video', { length: format.duration(card.videoSeconds) })}</figcaption>}
        </figure>
      ) : (
        <Figure card={card} />
      )}
    </div>
  )
}
