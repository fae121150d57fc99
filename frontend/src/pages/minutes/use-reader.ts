import { useEffect, useRef, useState } from 'react'
import type { MinuteStory } from '../../api/content.ts'
import type { More } from '../../app/use-more.ts'
import { arrowOf } from '../../ui/arrow-keys.ts'

/** Short news come by tens; the next ten are fetched when the reader is in the middle of the last. */
export const partSize = 10

/** Whether arriving at an item asks for the next part: at the sixth of each ten. */
export const preloadsAt = (index: number): boolean => index % partSize === 5

export interface Reader {
  index: number
  go: (index: number) => void
  /** Null at the newest. */
  previous: (() => void) | null
  /** Null at the very last; past the last that is here it waits for the next part. */
  next: (() => void) | null
  waiting: boolean
}

/** Which of the short news is shown. */
export function useReader(items: MinuteStory[], more: Pick<More<unknown>, 'next' | 'loading' | 'load'>, enabled: boolean): Reader {
  const [state, setState] = useState({ first: items[0]?.id, index: 0, waiting: false })
  // Another first item (the newest were asked for again) starts anew.
  const { index, waiting } = state.first === items[0]?.id ? state : { index: 0, waiting: false }
  const set = (to: number, wait = false) => setState({ first: items[0]?.id, index: to, waiting: wait })

  const go = (to: number) => {
    set(to)
    if (preloadsAt(to)) more.load()
  }
  const hasNext = index < items.length - 1
  const wait = () => {
    set(index, true)
    more.load()
  }
  const previous = index > 0 ? () => go(index - 1) : null
  const next = hasNext ? () => go(index + 1) : more.next ? wait : null

  // What was waited for is here, or did not come.
  const pending = useRef(more.loading)
  useEffect(() => {
    const came = pending.current && !more.loading
    pending.current = more.loading
    if (waiting && came) set(hasNext ? index + 1 : index)
  })

  const keys = useRef({ previous, next })
  useEffect(() => {
    keys.current = { previous, next }
  })
  useEffect(() => {
    if (!enabled) return
    const onKey = (event: KeyboardEvent) => {
      const meant = arrowOf(event)
      if (!meant || document.querySelector('dialog[open]')) return
      keys.current[meant]?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [enabled])

  return { index, go, previous, next, waiting: waiting && more.loading }
}
