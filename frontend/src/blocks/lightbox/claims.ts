import { useEffect, useSyncExternalStore } from 'react'

// The videos that rows of the page play when the address names them.
const claimed = new Map<number, number>()
const listeners = new Set<() => void>()

function change(id: number, by: 1 | -1) {
  const count = (claimed.get(id) ?? 0) + by
  if (count > 0) claimed.set(id, count)
  else claimed.delete(id)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Says that this row plays a video, while it does; 0 for none. */
export function useClaim(id: number): void {
  useEffect(() => {
    if (id === 0) return
    change(id, 1)
    return () => change(id, -1)
  }, [id])
}

/** Whether a row plays a video. On the server none is known to. */
export const useClaimed = (id: number): boolean => useSyncExternalStore(subscribe, () => claimed.has(id), () => true)
