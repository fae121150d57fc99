import { useEffect, useState, type RefObject } from 'react'

/** Whether a sideways scroller stands at its start and its end. Before it is measured it stands at both. */
export function useEdges(ref: RefObject<HTMLElement | null>): { start: boolean; end: boolean } {
  const [edges, setEdges] = useState({ start: true, end: true })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const start = element.scrollLeft <= 1
      const end = element.scrollLeft + element.clientWidth >= element.scrollWidth - 1
      setEdges((before) => (before.start === start && before.end === end ? before : { start, end }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [ref])
  return edges
}
