import type { Card } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import '../../ui/enlarged.css'
import styles from './article.module.css'

/** The article's picture, with what it shows and who made it. */
export function Figure({ card: { picture, videoSeconds } }: { card: Card }) {
  const t = useT()
  const { format } = useSite()
  if (!picture) return null
  return (
    <figure className={styles.figure}>
      <div className={styles.frame}>
        <button type="button" popoverTarget="picture" title={t('image.enlarge')}>
          <Picture picture={picture} role="article" eager />
        </button>
        {videoSeconds !== undefined && <span className={styles.length}>{t('card.video', { length: format.duration(videoSeconds) })}</span>}
      </div>
      <div popover="auto" id="picture" data-print="hide">
        <button type="button" popoverTarget="picture" title={t('action.close')}>
          <img src={`/img/${picture.id}?w=1600`} alt={picture.alt} loading="lazy" />
        </button>
      </div>
      {(picture.caption || picture.credit) && (
        <figcaption className={styles.caption}>
          {picture.caption} {picture.credit && <span className={styles.credit}>{t('image.credit', { credit: picture.credit })}</span>}
        </figcaption>
      )}
    </figure>
  )
}
