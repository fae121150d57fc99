import { useEffect, useRef, useState } from 'react'
import type { DiscussionData, DiscussionThread } from '../../api/discussion.ts'
import { fetchPage, isRedirect, type Page } from '../../api/page.ts'
import { queryValue } from '../../app/query.ts'
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
  /** Names the part of the discussion that the page is, as a query begins: "before=17&"; empty for its beginning. */
  part: string
  open: Opened | null
  setOpen: (open: Opened | null) => void
  refresh: () => Promise<void>
  more: () => Promise<void>
  /** Loads the next answers of a thread. */
  unfold: (thread: DiscussionThread) => Promise<void>
  /** A comment to take the focus when it is there. */
  goTo: (comment: number) => void
}

const idsOf = (data: DiscussionData) => data.threads.flatMap((thread) => [thread, ...thread.replies]).filter(({ mine }) => !mine).map(({ id }) => id)

function partOf(url: string): string {
  const named = ['before', 'after', 'thread'].map((name) => [name, queryValue(url, name)])
  return named.map(([name, value]) => (value ? `${name}=${value}&` : '')).join('')
}

async function ask(url: string): Promise<DiscussionData> {
  const answer = await fetchPage(url)
  if (isRedirect(answer) || answer.route !== 'discussion') throw new Error('The discussion is gone')
  return (answer as Page<DiscussionData>).data
}

/** How many parts of a discussion that has grown are asked for anew. */
const mostParts = 15

/** A thread with the answers of the part that follows. */
async function unfolded(thread: DiscussionThread): Promise<DiscussionThread> {
  const part = (await ask(thread.more ?? '')).threads[0]
  const replies = [...new Map([...thread.replies, ...(part?.replies ?? [])].map((reply) => [reply.id, reply])).values()]
  return { ...thread, replies: replies.sort((a, b) => a.id - b.id), more: part?.more }
}

/** All that is shown, as it is now: the threads down to the lowest, and as many answers of each as were unfolded. */
async function reload(address: string, lowest: number, parts: ReadonlyMap<number, number>): Promise<DiscussionData> {
  const first = await ask(address)
  let threads = first.threads
  let last = first
  for (let n = 1; n < mostParts && last.next && (last.threads.at(-1)?.id ?? 0) > lowest; n++) {
    last = await ask(last.next)
    threads = [...threads, ...last.threads]
  }
  const whole = threads.map(async (thread) => {
    let all = thread
    for (let n = parts.get(thread.id) ?? 0; n > 0 && all.more; n--) all = await unfolded(all)
    return all
  })
  return { ...first, threads: await Promise.all(whole), next: last.next }
}

/** A discussion that stays as it is on the server: what is shown is asked for anew when something has changed. */
export function useDiscussion(page: Page<DiscussionData>): Discussion {
  const path = page.url.split('?')[0] ?? page.url
  const part = partOf(page.url)
  const [data, setData] = useState(page.data)
  const [next, setNext] = useState(page.data.next)
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState(false)
  const [arrived, setArrived] = useState(0)
  const [open, setOpen] = useState<Opened | null>(page.data.open ?? null)
  const [target, goTo] = useState(0)
  const shown = useRef(data)
  const parts = useRef(new Map<number, number>())
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
      const fresh = await reload(data.whole ? `${path}?${part.slice(0, -1)}` : path, lowest ?? 0, parts.current)
      if (mine !== round.current) return // another look has begun, or older threads have come
      setNext(fresh.next)
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

  const unfold = async (thread: DiscussionThread) => {
    if (!thread.more || busy) return
    setBusy(true)
    try {
      const all = await unfolded(thread)
      round.current++
      const there = new Set(thread.replies.map(({ id }) => id))
      parts.current.set(thread.id, (parts.current.get(thread.id) ?? 0) + 1)
      shown.current = { ...shown.current, threads: shown.current.threads.map((one) => (one.id === all.id ? all : one)) }
      setData(shown.current)
      goTo(all.replies.find(({ id }) => !there.has(id))?.id ?? 0)
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

  return { data, next, busy, stale, arrived, part, open, setOpen, refresh, more, unfold, goTo }
}
