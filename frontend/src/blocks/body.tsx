import { useEffect, useRef } from 'react'
import { asSafeHtml } from '../api/html.ts'
import { useSite } from '../app/site-context.ts'
import { consentChoice } from '../session/browser.ts'
import { Prose } from '../ui/prose.tsx'

/** The text of an article or a page. Films and posts of other services are links until they are clicked or agreed to. */
export function Body({ name, html }: { name: string; html: string }) {
  const { edition } = useSite()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    // What scrolls sideways must be reachable with the keyboard.
    for (const wide of element.querySelectorAll<HTMLElement>('pre, table, figure:has(> table)')) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
  }, [])
  useEffect(() => {
    const element = place.current
    if (!element?.querySelector('[data-embed], .wp-block-embed')) return
    let end: (() => void) | undefined
    let live = true
    import('./player.ts').then(
      ({ openEmbeds }) => {
        if (live) end = openEmbeds(element, consentChoice(edition.consent.cookieVersion) === 'all')
      },
      () => undefined, // the links lead to where it can be seen
    )
    return () => {
      live = false
      end?.()
    }
  }, [edition])
  return (
    <div ref={place}>
      <Prose name={name} html={asSafeHtml(html)} />
    </div>
  )
}
