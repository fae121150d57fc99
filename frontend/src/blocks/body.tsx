import { useEffect, useRef } from 'react'
import { asSafeHtml } from '../api/html.ts'
import { Prose } from '../ui/prose.tsx'
import { play, playerAddress } from './player.ts'

/** The text of an article or a page. Embedded films are links until they are clicked, then they play in their place. */
export function Body({ name, html }: { name: string; html: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('figure a[href]') : null
      const address = link && (link.closest('[data-embed], .wp-block-embed') ? playerAddress(link.href) : null)
      if (!address || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      play(link, address)
    }
    element.addEventListener('click', onClick)
    // What scrolls sideways must be reachable with the keyboard.
    for (const wide of element.querySelectorAll<HTMLElement>('pre, figure:has(> table)')) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
    return () => element.removeEventListener('click', onClick)
  }, [])
  return (
    <div ref={place}>
      <Prose name={name} html={asSafeHtml(html)} />
    </div>
  )
}
