import type { Navigation } from './navigation.tsx'
import { statusOf, withStatus } from './status.ts'

/** Says on the shown page that its session is over. The page stays; one that came with a message has said what is to be said. */
export function sayEnded({ navigate }: Pick<Navigation, 'navigate'>): void {
  const { pathname, search, hash } = window.location
  if (!statusOf(search)) navigate(withStatus(pathname + search + hash, 'INVALID_TOKEN'), { replace: true, preventScrollReset: true })
}
