import type { ArticleData } from '../../api/content.ts'
import type { Page } from '../../api/page.ts'
import { Body } from '../../blocks/body.tsx'
import { Share } from '../../blocks/share.tsx'
import { useT } from '../../i18n/use-t.ts'
import article from './article.module.css'
import { Credits } from './credits.tsx'
import { Paywall } from './paywall.tsx'
import styles from './text.module.css'
import { useReadFull } from './use-read-full.ts'

// Where scripts run, the discussion itself takes the place of the link to it.
const enframe = (link: HTMLAnchorElement | null) => void import('../../app/discussion-frame.ts').then((frame) => frame.enframe(link))

/** The text, or as much of it as this reader may see, and what follows it. */
export function Text({ page }: { page: Page<ArticleData> }) {
  const t = useT()
  const { card, body, access, discussion } = page.data
  const end = useReadFull(card)
  const locked = access === 'locked'
  return (
    <div className={article.text} data-address={page.meta.canonical}>
      <div className={locked ? styles.fading : undefined}>
        <Body name={`article-${card.id}`} html={body} />
      </div>
      {locked ? <Paywall page={page} /> : <div ref={end} />}
      <Credits page={page} />
      <div className={styles.share}>
        <Share url={page.meta.canonical} title={card.title} />
      </div>
      {discussion && (
        <a id="discussion" ref={enframe} href={discussion}>
          {t('discussion.title')}
        </a>
      )}
    </div>
  )
}
