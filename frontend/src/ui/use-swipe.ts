import { useRef, type PointerEvent } from 'react'

/** How far a finger goes for it to mean another one, in pixels: further than this. */
export const swipeDistance = 190

/** What a movement means: to the left the next, to the right the previous, anything shorter or steeper nothing. */
export function swipeOf(dx: number, dy: number): 'previous' | 'next' | null {
  if (Math.abs(dx) <= swipeDistance || Math.abs(dx) < Math.abs(dy)) return null
  return dx < 0 ? 'next' : 'previous'
}

/**
 * Handlers for what is swiped with a finger or a pen; its style says `touch-action: pan-y`, so that up and down stay the
 * browser's. A mouse selects text.
 */
export function useSwipe({ previous, next }: { previous: () => void; next: () => void }) {
  const from = useRef<{ id: number; x: number; y: number } | null>(null)
  return {
    onPointerDown: (event: PointerEvent) => {
      // A second finger is a pinch.
      from.current = event.pointerType === 'mouse' || !event.isPrimary ? null : { id: event.pointerId, x: event.clientX, y: event.clientY }
    },
    onPointerUp: (event: PointerEvent) => {
      const start = from.current
      from.current = null
      if (start?.id !== event.pointerId) return
      const meant = swipeOf(event.clientX - start.x, event.clientY - start.y)
      if (meant === 'next') next()
      if (meant === 'previous') previous()
    },
    onPointerCancel: () => {
      from.current = null
    },
  }
}
