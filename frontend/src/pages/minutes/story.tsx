import type { MinuteStory } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { Body } from '../../blocks/body.tsx'
import { Headline } from '../../blocks/headline.tsx'
import { Share } from '../../blocks/share.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import { ownAddress } from './address.ts'
import { Discussion } from './discussion.tsx'
import styles from './story.module.css'

/** One short news, all of it. Its headline is its permanent address. */
export function Story({ item, first }: { item: MinuteStory; first: boolean }) {
  const t = useT()
  const { edition, format } = useSite()
  const { id, title, date, section, picture, authors, comments, discussion, locked } = item
  const url = ownAddress(item)
  const names = authors?.map((author) => author.name).join(', ')
  return (
    <article className={styles.story}>
      <time className={styles.time} dateTime={date}>
        {format.time(date)}
      </time>
      <Headline size="h3" level={3} className={styles.headline ?? ''}>
        {url ? <a href={url}>{title}</a> : title}
      </Headline>
      {picture && (
        <figure className={styles.figure}>
          <Picture picture={picture} role="lead" eager={first} />
          {picture.caption && <figcaption className={styles.caption}>{picture.caption}</figcaption>}
        </figure>
      )}
      <div className={styles.body}>
        <Body name={`minute-${id}`} html={item.body} />
      </div>
      {locked && url && (
        <p className={styles.locked}>
          <span data-lock>{t('card.locked')}</span> <a href={url}>{t('minutes.whole')}</a>
        </p>
      )}
      <div className={styles.foot}>
        <p className={styles.meta}>
          {section && (
            <a className={styles.section} href={section.url}>
              {section.name}
            </a>
          )}
          {section && names && ' · '}
          {names}
        </p>
        {discussion && <Discussion href={discussion} comments={comments} />}
        {url && <Share url={edition.origin + url} title={title} />}
      </div>
    </article>
  )
}
