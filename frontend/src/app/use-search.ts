import { useNavigate } from './navigation.tsx'
import { useSite } from './site-context.ts'

/** How long after a submit no other is taken, in milliseconds. */
export const searchLock = 2000

/** What is searched for: trimmed, in lower case, without question marks. Empty: nothing. */
export const searchTerm = (text: string): string => text.replaceAll('?', '').trim().toLowerCase()

// One for all search forms of the window: what the header has just sent, the page does not send again.
let lockedUntil = 0

/** Sends a search on its way, unless it is blank or follows another too closely; reports whether it did. */
export function useSearch(): (text: string) => boolean {
  const { href } = useSite()
  const navigate = useNavigate()
  return (text) => {
    const term = searchTerm(text)
    const now = Date.now()
    if (!term || now < lockedUntil) return false
    lockedUntil = now + searchLock
    navigate(href('searchTerm', { searchSlug: term }))
    return true
  }
}
