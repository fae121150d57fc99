import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MinuteStory } from '../../api/content.ts'
import type { More } from '../../app/use-more.ts'
import { arrowOf } from '../../ui/arrow-keys.ts'

/** Short news come by tens; the next ten are fetched when the reader is in the middle of the last. */
export const partSize = 10

/** Whether arriving at an item asks for the next part: at the sixth of each ten. */
export const preloadsAt = (index: number): boolean => index % partSize === 5

export interface Reader {
  /** Where the reader is in the stream. */
  index: number
  /** The item that was opened, by its address or by leafing; none in a stream that is only scrolled. */
  opened: number | null
  go: (index: number) => void
  /** The reader has scrolled there. */
  see: (index: number) => void
  /** Null at the newest. */
  previous: (() => void) | null
  /** Null at the very last; past the last that is here it waits for the next part. */
  next: (() => void) | null
  waiting: boolean
}

/** Where in the short news the reader is, and how to the neighbours. */
export function useReader(items: MinuteStory[], more: Pick<More<unknown>, 'next' | 'loading' | 'load'>, { keys: enabled, opened: first }: { keys: boolean; opened: boolean }): Reader {
  const begin = { index: 0, opened: first ? 0 : null, waiting: false }
  const [state, setState] = useState<{ first: number | undefined } & typeof begin>({ first: items[0]?.id, ...begin })
  // Another first item (the newest were asked for again) starts anew.
  const { index, opened, waiting } = state.first === items[0]?.id ? state : begin
  const set = (to: Partial<typeof begin>) => setState({ first: items[0]?.id, index, opened, waiting: false, ...to })

  const go = (to: number) => {
    set({ index: to, opened: to })
    if (preloadsAt(to)) more.load()
  }
  const see = (to: number) => to !== index && set({ index: to, waiting })
  const hasNext = index < items.length - 1
  const wait = () => {
    set({ waiting: true })
    more.load()
  }
  const previous = index > 0 ? () => go(index - 1) : null
  const next = hasNext ? () => go(index + 1) : more.next ? wait : null

  // What was waited for is here, or did not come.
  const pending = useRef(more.loading)
  useEffect(() => {
    const came = pending.current && !more.loading
    pending.current = more.loading
    if (waiting && came) set(hasNext ? { index: index + 1, opened: index + 1 } : {})
  })

  // A key means what is on the screen, also when it comes right after a scroll: before effects have run.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const meant = arrowOf(event)
    if (!meant || document.querySelector('dialog[open]')) return
    const move = { previous, next }[meant]
    move?.()
  })
  useEffect(() => {
    if (!enabled) return
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [enabled])

  return { index, opened, go, see, previous, next, waiting: waiting && more.loading }
}
