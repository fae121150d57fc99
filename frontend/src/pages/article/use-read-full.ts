import { useCallback, useContext, useRef } from 'react'
import type { Card } from '../../api/content.ts'
import { SessionContext } from '../../session/use-session.ts'

/** Tells the server, once, that a folded article was opened to its end. */
export function useReadFull({ id, date }: Pick<Card, 'id' | 'date'>): () => void {
  const told = useRef(false)
  const store = useContext(SessionContext)
  return useCallback(() => {
    if (told.current) return
    told.current = true
    const session = store.get()
    const who = session.status === 'reader' ? { user_id: session.reader.userId } : {}
    const body = JSON.stringify({ action: 'article_read_full', meta_value: String(id), publish_date: date, ...who })
    fetch('/fns/logs-put', { method: 'POST', credentials: 'same-origin', keepalive: true, headers: { 'content-type': 'application/json' }, body }).catch(
      () => undefined, // reading goes on, counted or not
    )
  }, [id, date, store])
}
