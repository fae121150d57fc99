import { queryString } from '../editions/href.ts'

/** What the lists fetch at once. */
export const sizes = { topics: 20, author: 20, search: 10 } as const

interface Part {
  /** Address of the part that follows, as the server says; absent on the last. */
  next: string | undefined
  /** How many came, of how many asked for. */
  count: number
  size: number
}

/** Address of the part that follows. None after a part that is shorter than it might be: that was the last. */
export const nextPart = ({ next, count, size }: Part): string | null => (next === undefined || count < size ? null : next)

/** The address with another offset; what else it asks for stays. */
export function withOffset(url: string, offset: number): string {
  const [path = '', query = ''] = url.split('#')[0]?.split('?') ?? []
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('offset=') && !pair.startsWith('status='))
  return path + (kept.length > 0 ? `?${kept.join('&')}&offset=${offset}` : queryString({ offset }))
}
