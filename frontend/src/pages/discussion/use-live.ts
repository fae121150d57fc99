import { useEffect, useRef } from 'react'

/** Milliseconds: between two looks while no stream says when to look, and at least between two looks that it asks for. */
const poll = 20_000
const pause = 2_000
const retry = 60_000

/**
 * Calls back when a discussion may have changed: when its stream says so, when the reader comes back to the tab, and now
 * and then where there is no stream. Only a tab that is seen holds one open.
 */
export function useLive(articleId: number, onChange: () => Promise<void>): void {
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })
  useEffect(() => {
    let stream: EventSource | null = null
    let connected = false
    let last = 0
    let closedAt = 0
    let waiting: ReturnType<typeof setTimeout> | undefined

    const look = () => {
      clearTimeout(waiting)
      waiting = undefined
      last = Date.now()
      void change.current()
    }
    // Many hear the same word at once; they ask one after the other.
    const soon = () => {
      waiting ??= setTimeout(look, Math.max(Math.random() * 800, last + pause - Date.now()))
    }
    const close = () => {
      stream?.close()
      stream = null
      connected = false
    }
    const open = () => {
      if (stream || typeof EventSource === 'undefined' || document.visibilityState === 'hidden') return
      stream = new EventSource(`/api/discussion/${articleId}/live`)
      stream.addEventListener('open', () => {
        if (closedAt > 0) soon() // something may have been said meanwhile
        connected = true
      })
      stream.addEventListener('change', soon)
      stream.addEventListener('error', () => {
        connected = false
        closedAt = Date.now()
        if (stream?.readyState === EventSource.CLOSED) close()
      })
    }
    const onVisible = () => {
      if (document.visibilityState === 'hidden') {
        closedAt = Date.now()
        return close()
      }
      open()
      soon()
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden' || connected) return
      if (!stream && Date.now() - closedAt > retry) open()
      look()
    }, poll)

    open()
    document.addEventListener('visibilitychange', onVisible)
    window.addEventListener('pagehide', close)
    return () => {
      close()
      clearInterval(timer)
      clearTimeout(waiting)
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('pagehide', close)
    }
  }, [articleId])
}
