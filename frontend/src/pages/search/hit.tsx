import { clsx } from 'clsx/lite'
import type { Picture as PictureData, SearchHit } from '../../api/content.ts'
import { cachedOnServer } from '../../app/server-cache.tsx'
import card from '../../blocks/card.module.css'
import { CardMeta } from '../../blocks/card-meta.tsx'
import { Headline } from '../../blocks/headline.tsx'
import { Marked } from '../../ui/marked.tsx'
import { Picture } from '../../ui/picture.tsx'
import styles from './hit.module.css'

/** A found article: the place where the term stands says more than an excerpt would. On the server it is not cached as a whole, since every term marks other words. */
export function Hit({ hit: { url, title, titleMarked, snippet, excerpt, section, picture, authors, date, locked, type }, today }: { hit: SearchHit; today: string }) {
  return (
    <article className={clsx(styles.hit, picture && styles.pictured)}>
      <div className={styles.words}>
        {section && (
          <a className={card.kicker} href={section.url}>
            {section.name}
          </a>
        )}
        <Headline size="h5" level={3} opinion={type === 'comment_article'}>
          <a className={styles.link} href={url}>
            {titleMarked ? <Marked html={titleMarked} /> : title}
          </a>
        </Headline>
        {(snippet ?? excerpt) && <p className={styles.snippet}>{snippet ? <Marked html={snippet} /> : excerpt}</p>}
        <CardMeta authors={authors} date={date} locked={locked} today={today} />
      </div>
      {picture && <Thumb picture={picture} />}
    </article>
  )
}

const Thumb = cachedOnServer('thumb', function Thumb({ picture }: { picture: PictureData }) {
  return (
    <div className={styles.media}>
      <Picture picture={picture} role="thumb" decorative />
    </div>
  )
})
