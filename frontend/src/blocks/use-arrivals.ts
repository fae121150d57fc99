import { useEffect, useRef } from 'react'

/** After a part has come, whoever asked for it by keyboard goes on at its first headline; the button they used is gone. */
export function useArrivals(parts: number) {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(parts)
  useEffect(() => {
    if (parts <= before.current) return
    before.current = parts
    if (document.activeElement && document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-part="${parts - 1}"] :is(h2, h3) a`)?.focus({ preventScroll: true })
  }, [parts])
  return list
}
