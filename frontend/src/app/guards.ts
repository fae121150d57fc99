import { guestRoutes } from '../editions/routes.ts'
import type { RouteId } from '../editions/types.ts'
import type { Session } from '../session/session.ts'

/**
 * Where a reader goes who is logged in and opens a page of logging in: to the front page, keeping the query. Null: stay. The server
 * decides the same; knowing it here spares the round trip. Who is to log in first is told by the server alone.
 */
export function guard(route: RouteId, session: Session, search: string): string | null {
  return guestRoutes.includes(route) && session.status === 'reader' ? `/${search}` : null
}
