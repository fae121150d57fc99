import { UNSAFE_createBrowserHistory as createBrowserHistory, UNSAFE_createRouter as createRouter, type DataRouter, type RouteObject } from 'react-router'
import type { Engine, EngineHost } from './browser-navigation.ts'
import { makeLoader, type Loading } from './load-page.ts'
import type { NavigationState } from './navigation.tsx'
import type { LoadedPage } from './page-module.ts'
import { routeAt, type AppRoute } from './route-objects.ts'
import { statusOf, withoutMarks } from './status.ts'

type RouterState = DataRouter['state']

const pathOf = (url: URL) => url.pathname + url.search

/** The routes with what loads their pages. */
const withLoaders = (routes: AppRoute[], loading: Loading): RouteObject[] =>
  routes.map(({ id, path }) => ({
    id,
    path,
    loader: makeLoader(id, loading),
    // A change of ?status or of the opened video alone shows something over the page, which stays as it is; so does it when the
    // connection fails once more.
    shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
      withoutMarks(pathOf(currentUrl)) === withoutMarks(pathOf(nextUrl)) && (pathOf(currentUrl) !== pathOf(nextUrl) || statusOf(pathOf(nextUrl))?.kind === 'error') ? false : defaultShouldRevalidate,
  }))

/** What the app reads of react-router's state. */
export function stateOf({ location, historyAction, navigation, matches, loaderData, errors }: RouterState): NavigationState {
  const leaf = matches.at(-1)?.route.id
  return {
    location,
    type: historyAction,
    pending: navigation.state === 'loading',
    loaded: leaf === undefined ? undefined : (loaderData[leaf] as LoadedPage | undefined),
    error: errors ? Object.values(errors)[0] : undefined,
  }
}

/** Starts react-router from the page that is shown. */
export function startEngine({ get, publish }: EngineHost, routes: AppRoute[], loading: Loading): Engine {
  const { location, loaded } = get()
  const router = createRouter({
    routes: withLoaders(routes, loading),
    // It may come after the browser has gone back: it then begins with what is still shown. createBrowserRouter would begin
    // with the browser's address.
    history: { ...createBrowserHistory({ window }), location },
    hydrationData: { loaderData: { [routeAt(routes, location.pathname)?.route.id ?? 'notFound']: loaded } },
  }).initialize()
  router.subscribe((state) => publish(stateOf(state)))
  return {
    navigate: (to, options) => void router.navigate(to, options),
    pop: () => window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as unknown })),
  }
}
