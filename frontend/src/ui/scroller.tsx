import { clsx } from 'clsx/lite'
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Icon } from './icon.tsx'
import styles from './scroller.module.css'
import { useEdges } from './use-edges.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

interface ScrollerProps {
  /** What the row holds. */
  label: string
  /** How far a click on an arrow moves, in pixels. */
  step?: number
  /** The name under which its place is kept while readers go elsewhere and come back. */
  keep?: string
  /** `<li>` elements. */
  children: ReactNode
  className?: string
}

const places = new Map<string, number>()

/** A row that scrolls sideways: by touch, wheel and keys as the browser does it, and by two arrows. */
export function Scroller({ label, step = 300, keep, children, className }: ScrollerProps) {
  const t = useT()
  const list = useRef<HTMLUListElement>(null)
  const edges = useEdges(list)
  // Without anything in it that takes the focus, the row itself must, or keys could not scroll it.
  useEffect(() => {
    if (list.current && !list.current.querySelector('a, button')) list.current.tabIndex = 0
  }, [])
  useLayoutEffect(() => {
    const row = list.current
    if (!row || !keep) return
    row.scrollLeft = places.get(keep) ?? 0
    const remember = () => places.set(keep, row.scrollLeft)
    row.addEventListener('scroll', remember, { passive: true })
    return () => row.removeEventListener('scroll', remember)
  }, [keep])
  const move = (by: number) => () => list.current?.scrollBy({ left: by, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
  return (
    <div className={clsx(styles.scroller, className)}>
      <ul ref={list} className={styles.list} aria-label={label} data-scroller>
        {children}
      </ul>
      <button type="button" className={styles.previous} onClick={move(-step)} hidden={edges.start} data-print="hide">
        <Icon name="previous" />
        <VisuallyHidden>{t('scroller.previous')}</VisuallyHidden>
      </button>
      <button type="button" className={styles.next} onClick={move(step)} hidden={edges.end} data-print="hide">
        <Icon name="next" />
        <VisuallyHidden>{t('scroller.next')}</VisuallyHidden>
      </button>
    </div>
  )
}
