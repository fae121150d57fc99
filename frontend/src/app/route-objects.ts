import { matchRoutes } from 'react-router/match'
import type { RouteMatch } from 'react-router'
import { isAvailable, type AvailableRoute } from '../editions/available.ts'
import { pageAreas } from '../editions/page-areas.gen.ts'
import type { PublicEdition } from '../editions/types.ts'

export interface AppRoute {
  id: AvailableRoute
  path: string
}

/** The routes of an edition, from its paths: one for each page that both it and this bundle have, and a catch-all. */
export function buildRoutes({ paths }: Pick<PublicEdition, 'paths'>): AppRoute[] {
  const ids = (Object.keys(pageAreas) as AvailableRoute[]).filter((id) => id !== 'notFound')
  return [...ids.flatMap((id) => (paths[id] ? [{ id, path: paths[id] }] : [])), { id: 'notFound', path: '*' }]
}

/** Matches a path, most specific first. A path with a break of lines matches nothing, not even the catch-all: the server leads away from it. */
export const routeAt = (routes: AppRoute[], pathname: string): RouteMatch<string, AppRoute> | undefined => matchRoutes(routes, pathname)?.at(-1)

/** The page that a path belongs to; `notFound` when this app has none for it. Parameters named …Id are numbers; anything else there is another page's address. */
export function routeOf(routes: AppRoute[], pathname: string): AvailableRoute {
  const { route, params = {} } = routeAt(routes, pathname) ?? {}
  const id = route?.id ?? 'notFound'
  const numeric = Object.entries(params).every(([name, value]) => !name.endsWith('Id') || /^\d+$/.test(value ?? ''))
  return isAvailable(id) && numeric ? id : 'notFound'
}
