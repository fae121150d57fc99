import { clsx } from 'clsx/lite'
import type { Topic } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { Headline } from '../../blocks/headline.tsx'
import { Picture } from '../../ui/picture.tsx'
import styles from './cover.module.css'

interface CoverProps {
  topic: Topic
  label?: string
  level?: 2 | 3
  /** The cover as a stamp beside the words. */
  small?: boolean
}

/** An edition in a shelf: its cover, its day and its name. */
export function Cover({ topic: { covers, title, url, date }, label, level = 3, small = false }: CoverProps) {
  const { format } = useSite()
  const [cover] = covers
  return (
    <article className={clsx(styles.cover, small && styles.small)}>
      {cover ? <Picture picture={cover} role="cover" decorative /> : <div className={styles.blank} />}
      <div>
        <p className={styles.date}>
          {label && <span className={styles.label}>{label} · </span>}
          <time dateTime={date}>{format.when(date)}</time>
        </p>
        <Headline size="h6" level={level}>
          <a className={styles.link} href={url}>
            {title}
          </a>
        </Headline>
      </div>
    </article>
  )
}
