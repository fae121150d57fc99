import { useEffect, useRef, useState } from 'react'

/** How long a slide stays, and how long after a click the dots take no other; in milliseconds. */
export const interval = 15_000
export const lock = 500

/**
 * Which slide is shown. It goes on by itself while nothing speaks against it: the reader has stopped it, points at it,
 * is in it with the keyboard, looks at another tab, or wants less motion.
 */
export function useCarousel(count: number) {
  const [index, setIndex] = useState(0)
  const [stopped, setStopped] = useState(false)
  const [held, setHeld] = useState({ pointer: false, focus: false })
  const [allowed, setAllowed] = useState(false)
  const locked = useRef(0)

  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)')
    const see = () => setAllowed(!still.matches && document.visibilityState !== 'hidden')
    see()
    still.addEventListener('change', see)
    document.addEventListener('visibilitychange', see)
    return () => {
      still.removeEventListener('change', see)
      document.removeEventListener('visibilitychange', see)
    }
  }, [])

  const running = allowed && !stopped && !held.pointer && !held.focus && count > 1
  // A new index starts the clock anew, whoever set it.
  useEffect(() => {
    if (!running) return
    const clock = setTimeout(() => setIndex((index + 1) % count), interval)
    return () => clearTimeout(clock)
  }, [running, index, count])

  const go = (to: number) => {
    const now = Date.now()
    if (now - locked.current < lock) return
    locked.current = now
    setIndex(to)
  }
  return {
    index,
    go,
    stopped,
    toggle: () => setStopped(!stopped),
    running,
    holders: {
      onMouseEnter: () => setHeld((before) => ({ ...before, pointer: true })),
      onMouseLeave: () => setHeld((before) => ({ ...before, pointer: false })),
      onFocus: () => setHeld((before) => ({ ...before, focus: true })),
      onBlur: () => setHeld((before) => ({ ...before, focus: false })),
    },
  }
}
