import { matchRoutes, type LoaderFunction, type RouteMatch, type RouteObject } from 'react-router'
import { isAvailable, type AvailableRoute } from '../editions/available.ts'
import { pageAreas } from '../editions/page-areas.gen.ts'
import type { PublicEdition, RouteId } from '../editions/types.ts'
import { PageView } from './page-view.tsx'
import { Root } from './root.tsx'
import { RouteError } from './route-error.tsx'
import { statusOf, withoutMarks } from './status.ts'

/** Makes the loader of a route; the server needs none, because it renders data that it was given. */
export type MakeLoader = (id: AvailableRoute) => LoaderFunction

const pathOf = (url: URL) => url.pathname + url.search

/** The routes of an edition, from its paths: one for each page that both it and this bundle have, and a catch-all. */
export function buildRoutes(edition: Pick<PublicEdition, 'paths'>, makeLoader?: MakeLoader): RouteObject[] {
  const route = (id: AvailableRoute, path: string): RouteObject => ({
    id,
    path,
    Component: PageView,
    loader: makeLoader?.(id),
    // A change of ?status or of the opened video alone shows something over the page, which stays as it is; so does it when the
    // connection fails once more.
    shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
      withoutMarks(pathOf(currentUrl)) === withoutMarks(pathOf(nextUrl)) && (pathOf(currentUrl) !== pathOf(nextUrl) || statusOf(pathOf(nextUrl))?.kind === 'error') ? false : defaultShouldRevalidate,
  })
  const ids = (Object.keys(pageAreas) as AvailableRoute[]).filter((id) => id !== 'notFound')
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: RouteError,
      children: [...ids.flatMap((id) => (edition.paths[id] ? [route(id, edition.paths[id])] : [])), route('notFound', '*')],
    },
  ]
}

/** Matches a path, most specific first. A path with a break of lines matches nothing, not even the catch-all: the server leads away from it. */
export function matchPath(routes: RouteObject[], pathname: string): RouteMatch<string, RouteObject>[] {
  return matchRoutes(routes, pathname) ?? []
}

/** The page that a path belongs to; `notFound` when this app has none for it. Parameters named …Id are numbers; anything else there is another page's address. */
export function routeOf(routes: RouteObject[], pathname: string): AvailableRoute {
  const leaf = matchPath(routes, pathname).at(-1)
  const id = (leaf?.route.id ?? 'notFound') as RouteId
  const numeric = Object.entries(leaf?.params ?? {}).every(([name, value]) => !name.endsWith('Id') || /^\d+$/.test(value ?? ''))
  return isAvailable(id) && numeric ? id : 'notFound'
}
