import type { Card } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import styles from './article.module.css'

/** The article's picture, with what it shows and who made it. */
export function Figure({ card: { picture, videoSeconds } }: { card: Card }) {
  const t = useT()
  const { format } = useSite()
  if (!picture) return null
  return (
    <figure className={styles.figure}>
      <div className={styles.frame}>
        <Picture picture={picture} role="article" eager />
        {videoSeconds !== undefined && <span className={styles.length}>{t('card.video', { length: format.duration(videoSeconds) })}</span>}
      </div>
      {(picture.caption || picture.credit) && (
        <figcaption className={styles.caption}>
          {picture.caption} {picture.credit && <span className={styles.credit}>{t('image.credit', { credit: picture.credit })}</span>}
        </figcaption>
      )}
    </figure>
  )
}
