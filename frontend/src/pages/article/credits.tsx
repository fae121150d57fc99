import { useEffect, useState } from 'react'
import type { ArticleData } from '../../api/content.ts'
import type { Page } from '../../api/page.ts'
import { useT } from '../../i18n/use-t.ts'
import { isSubscriber } from '../../session/session.ts'
import { useSession } from '../../session/use-session.ts'
import styles from './credits.module.css'

interface Left {
  left: number
  limit: number
  period: string
}

/** How many locked articles a reader without a subscription may still open; its line is there before the number is. */
export function Credits({ page: { tier, data } }: { page: Page<ArticleData> }) {
  const t = useT()
  const session = useSession()
  const metered = session.status === 'reader' && !isSubscriber(session)
  const concerned = data.card.locked && data.access !== 'locked' && tier !== 'anonymous'
  const credits = useLeft(concerned && metered)
  // Once it is known that the reader subscribes there is nothing to say, and nothing that would move: the line stays.
  if (!concerned) return null
  return (
    <p className={styles.credits} role="status" data-print="hide">
      {credits && t('article.credits', { ...credits })}
    </p>
  )
}

function useLeft(wanted: boolean): Left | null {
  const [left, setLeft] = useState<Left | null>(null)
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    fetch('/fns/user-can-read-article', { credentials: 'same-origin', signal: stop.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then((answer: { data?: Partial<Left> } | null) => {
        const { left, limit, period } = answer?.data ?? {}
        if (left !== undefined && limit !== undefined && period !== undefined) setLeft({ left, limit, period })
      })
      .catch(() => undefined) // a courtesy: without it the page lacks nothing
    return () => stop.abort()
  }, [wanted])
  return left
}
