import { restricted } from '../editions/routes.ts'
import type { RouteId } from '../editions/types.ts'
import type { Session } from '../session/session.ts'

/**
 * Where a visitor who may not see a route goes: to the front page, keeping the query. Null: stay. The server decides
 * the same; knowing it here spares the round trip. While the session is unknown, the server is asked.
 */
export function guard(route: RouteId, session: Session, search: string): string | null {
  if (session.status === 'unknown') return null
  const access = restricted[route]
  const refused = (access === 'guest' && session.status === 'reader') || (access === 'private' && session.status === 'guest')
  return refused ? `/${search}` : null
}
