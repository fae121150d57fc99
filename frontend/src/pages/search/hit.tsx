import { clsx } from 'clsx/lite'
import type { SearchHit } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import card from '../../blocks/card.module.css'
import { Headline } from '../../blocks/headline.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Marked } from '../../ui/marked.tsx'
import { Picture } from '../../ui/picture.tsx'
import styles from './hit.module.css'

/** A found article: the place where the term stands says more than an excerpt would. Not cached on the server, since every term marks other words. */
export function Hit({ hit: { url, title, titleMarked, snippet, excerpt, section, picture, authors, date, locked, type }, today }: { hit: SearchHit; today: string }) {
  const t = useT()
  const { format } = useSite()
  const names = authors?.map(({ name }) => name).join(', ')
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
        <p className={card.meta}>
          {names && `${names} · `}
          <time dateTime={date}>{format.when(date, today)}</time>
          {locked && (
            <>
              {' '}
              <span data-lock>{t('card.locked')}</span>
            </>
          )}
        </p>
      </div>
      {picture && (
        <div className={styles.media}>
          <Picture picture={picture} role="thumb" decorative />
        </div>
      )}
    </article>
  )
}
