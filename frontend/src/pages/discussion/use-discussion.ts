import { useEffect, useRef, useState } from 'react'
import type { DiscussionData } from '../../api/discussion.ts'
import { fetchPage, isRedirect, type Page } from '../../api/page.ts'
import { useLive } from './use-live.ts'

export type Form = NonNullable<DiscussionData['open']>['form']
export interface Opened {
  form: Form
  comment: number
}

export interface Discussion {
  data: DiscussionData
  next: string | undefined
  /** Loading older threads. */
  busy: boolean
  /** The last look did not succeed. */
  stale: boolean
  /** How many comments of others came with the last look. */
  arrived: number
  open: Opened | null
  setOpen: (open: Opened | null) => void
  refresh: () => Promise<void>
  more: () => Promise<void>
  /** A comment to take the focus when it is there. */
  goTo: (comment: number) => void
}

const idsOf = (data: DiscussionData) => data.threads.flatMap((thread) => [thread, ...thread.replies]).filter(({ mine }) => !mine).map(({ id }) => id)

async function ask(url: string): Promise<DiscussionData> {
  const answer = await fetchPage(url)
  if (isRedirect(answer) || answer.route !== 'discussion') throw new Error('The discussion is gone')
  return (answer as Page<DiscussionData>).data
}

/** A discussion that stays as it is on the server: what is shown is asked for anew when something has changed. */
export function useDiscussion(page: Page<DiscussionData>): Discussion {
  const path = page.url.split('?')[0] ?? page.url
  const [data, setData] = useState(page.data)
  const [next, setNext] = useState(page.data.next)
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState(false)
  const [arrived, setArrived] = useState(0)
  const [open, setOpen] = useState<Opened | null>(page.data.open ?? null)
  const [target, goTo] = useState(0)
  const shown = useRef(data)
  const round = useRef(0)

  const take = (fresh: DiscussionData) => {
    const known = new Set(idsOf(shown.current))
    setArrived(idsOf(fresh).filter((id) => !known.has(id)).length)
    shown.current = fresh
    setData(fresh)
    setStale(false)
  }

  const refresh = async () => {
    const mine = ++round.current
    const lowest = shown.current.threads.at(-1)?.id
    try {
      const fresh = await ask(lowest ? `${path}?until=${lowest}` : path)
      if (mine !== round.current) return // another look has begun, or older threads have come
      if (!lowest) setNext(fresh.next)
      take(fresh)
    } catch {
      if (mine === round.current) setStale(true)
    }
  }

  const more = async () => {
    if (!next || busy) return
    setBusy(true)
    try {
      const older = await ask(next)
      round.current++
      const there = new Set(shown.current.threads.map(({ id }) => id))
      const added = older.threads.filter(({ id }) => !there.has(id))
      shown.current = { ...shown.current, threads: [...shown.current.threads, ...added] }
      setData(shown.current)
      setNext(older.next)
      goTo(added[0]?.id ?? 0)
    } catch {
      setStale(true)
    }
    setBusy(false)
  }

  useLive(data.post.id, refresh)

  useEffect(() => {
    const element = target ? document.getElementById(`comment-${target}`) : null
    if (!element) return
    element.focus()
    goTo(0)
  }, [target, data])

  return { data, next, busy, stale, arrived, open, setOpen, refresh, more, goTo }
}
