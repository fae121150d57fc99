import { useCallback, useContext } from 'react'
import type { Card } from '../../api/content.ts'
import { SessionContext } from '../../session/use-session.ts'

/** For what stands at the end of an article: tells the server, once, that a reader has come to it. */
export function useReadFull({ id, date }: Pick<Card, 'id' | 'date'>) {
  const store = useContext(SessionContext)
  return useCallback(
    (end: Element | null) => {
      if (!end) return
      const observer = new IntersectionObserver((seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        const session = store.get()
        const who = session.status === 'reader' ? { user_id: session.reader.userId } : {}
        const body = JSON.stringify({ action: 'article_read_full', meta_value: String(id), publish_date: date, ...who })
        fetch('/fns/logs-put', { method: 'POST', credentials: 'same-origin', keepalive: true, headers: { 'content-type': 'application/json' }, body }).catch(
          () => undefined, // reading goes on, counted or not
        )
      })
      observer.observe(end)
      return () => observer.disconnect()
    },
    [id, date, store],
  )
}
