import { clsx } from 'clsx'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import type { ArticleData } from '../../api/content.ts'
import type { Page } from '../../api/page.ts'
import { Body } from '../../blocks/body.tsx'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import article from './article.module.css'
import { Credits } from './credits.tsx'
import { Paywall } from './paywall.tsx'
import styles from './text.module.css'
import { useReadFull } from './use-read-full.ts'

const folds: Record<number, string | undefined> = { 3: styles.fold3, 4: styles.fold4, 5: styles.fold5, 6: styles.fold6 }

// Where scripts run, the discussion itself takes the place of the link to it.
const enframe = (link: HTMLAnchorElement | null) => void import('../../app/discussion-frame.ts').then((frame) => frame.enframe(link))

/**
 * The text, or as much of it as this reader may see. A long one is folded by style alone: readers without scripts see
 * all of it, the link opens it even before scripts have come, and paper knows no fold.
 */
export function Text({ page }: { page: Page<ArticleData> }) {
  const t = useT()
  const { card, body, access, fold, discussion } = page.data
  const locked = access === 'locked'
  const folded = !locked && fold ? folds[Math.min(Math.max(fold, 3), 6)] : undefined
  const [opened, setOpened] = useState<'by address' | 'by click'>()
  const place = useRef<HTMLDivElement>(null)
  const record = useReadFull(card)

  useEffect(() => {
    if (!folded || window.location.hash !== '#text') return
    setOpened('by address')
    record()
  }, [folded, record])

  // The link is gone: the reader goes on where the text does, which can take the focus only once it is shown.
  useEffect(() => {
    if (opened !== 'by click') return
    const next = place.current?.querySelectorAll<HTMLElement>('[data-prose] > p')[fold ?? 0]
    next?.setAttribute('tabindex', '-1')
    next?.focus({ preventScroll: true })
  }, [opened, fold])

  const unfold = (event: MouseEvent) => {
    event.preventDefault()
    setOpened('by click')
    record()
  }
  return (
    <div className={article.text}>
      <Credits page={page} />
      <div id="text" ref={place} className={clsx(styles.text, locked && styles.fading, !opened && folded)}>
        <Body name={`article-${card.id}`} html={body} />
      </div>
      {folded && !opened && (
        <p className={styles.more} data-print="hide">
          <ButtonLink variant="outline" href="#text" onClick={unfold}>
            {t('article.continue')}
          </ButtonLink>
        </p>
      )}
      {locked && <Paywall page={page} />}
      {discussion && (
        <a id="discussion" ref={enframe} href={discussion}>
          {t('discussion.title')}
        </a>
      )}
    </div>
  )
}
