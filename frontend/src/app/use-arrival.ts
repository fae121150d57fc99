import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Page } from '../api/page.ts'
import { useT } from '../i18n/use-t.ts'
import { applyMeta } from './head.ts'
import { useNavigationState } from './navigation.tsx'
import { keepScroll, scrollFor } from './scroll.ts'

/**
 * What a browser does on a new page and a router does not: title, place, focus on the heading, and word for those who
 * listen. A change of the query alone leaves reader and focus where they are. Returns the announcement.
 */
export function useArrival(page: Page | undefined): string {
  const t = useT()
  const { location, type } = useNavigationState()
  const { key, pathname, hash } = location
  const shown = useRef({ key, pathname })
  const [announcement, announce] = useState('')

  // Before the new page is laid out: a shorter one would move the old one's place. Where this page was is read first, because a page that is
  // shorter than the one before makes the browser scroll to its end by itself, and that would be kept as its place before it is used.
  const place = useRef(0)
  useLayoutEffect(() => {
    place.current = scrollFor(key)
    return keepScroll(key)
  }, [key])

  useEffect(() => {
    const before = shown.current
    if (before.key === key || !page) return
    shown.current = { key, pathname }
    applyMeta(document, page.meta)
    if (before.pathname === pathname) return
    announce(t('navigation.arrived', { title: page.meta.title }))
    const target = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    if (target) return target.scrollIntoView()
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
    window.scrollTo(0, type === 'POP' ? place.current : 0)
  }, [key, pathname, hash, type, page, t])

  return announcement
}
