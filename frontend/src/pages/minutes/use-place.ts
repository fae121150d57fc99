import { useEffect, useEffectEvent, useRef } from 'react'
import type { MinuteStory } from '../../api/content.ts'
import { applyMeta } from '../../app/head.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { ownAddress, readerAddress } from './address.ts'
import type { Reader } from './use-reader.ts'

/** How far below the top of the window, in pixels, the line is on which that item stands that is read: below header and buttons. */
const readingLine = 120

/** Keeps the reader's place and the window's together, and address and title with the item that was opened. Returns where the list is. */
export function usePlace(page: PageProps<unknown>['page'], items: MinuteStory[], { index, opened, see }: Reader) {
  const { edition } = useSite()
  const list = useRef<HTMLDivElement>(null)
  const item = (place: number) => list.current?.querySelector<HTMLElement>(`[data-index="${place}"]`)

  // Who scrolls on from the item that was opened has left it once it is out of sight: the last of a page never reach the top.
  const onSeen = useEffectEvent((place: number) => {
    const at = item(index)?.getBoundingClientRect()
    if (opened === index && at && at.bottom > readingLine && at.top < window.innerHeight) return
    see(place)
  })
  const count = items.length
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => {
        const first = entries.find(({ isIntersecting }) => isIntersecting)
        if (first) onSeen(Number((first.target as HTMLElement).dataset.index))
      },
      { rootMargin: `${-readingLine}px 0px ${readingLine + 1 - window.innerHeight}px` },
    )
    list.current?.querySelectorAll('[data-index]').forEach((one) => seen.observe(one))
    return () => seen.disconnect()
  }, [count])

  const current = opened === null ? undefined : items[opened]
  const shown = useRef(current?.id)
  useEffect(() => {
    if (!current || opened === null || shown.current === current.id) return
    shown.current = current.id
    const first = opened === 0
    window.history.replaceState(window.history.state, '', first ? page.url : (readerAddress(current, edition.paths) ?? page.url))
    applyMeta(document, first ? page.meta : { ...page.meta, title: current.title, canonical: edition.origin + (ownAddress(current) ?? page.url) })
    item(opened)?.scrollIntoView()
  }, [page, current, opened, edition])
  return list
}
