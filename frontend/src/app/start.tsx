import { startTransition } from 'react'
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { messageLocale } from '../editions/locale.ts'
import { createSite } from '../editions/site.ts'
import type { Area } from '../gen/message-ids.ts'
import { makeIntl } from '../i18n/intl.ts'
import { loadCore, loadWords } from '../i18n/words.ts'
import { createSession } from '../session/session.ts'
import { browserSession } from '../session/browser.ts'
import { App } from './app.tsx'
import { findRoot, readBootstrap } from './bootstrap.ts'
import { handleLinks } from './links.ts'
import { loadRoute, makeLoader, type Loading } from './load-page.ts'
import type { LoadedPage } from './page-view.tsx'
import { reportError } from './report.ts'
import { buildRoutes, matchPath, routeOf } from './route-objects.tsx'
import { ownScroll } from './scroll.ts'
import { statusOf } from './status.ts'

const rootOptions: RootOptions = {
  onUncaughtError: (error) => reportError(error, 'uncaught'),
  onRecoverableError: (error) => reportError(error, 'recoverable'),
}

/** Takes over the server's page, or renders it when the server could not. */
export async function start(document: Document): Promise<void> {
  const root = findRoot(document)
  const { edition, page } = readBootstrap(document)
  const locale = messageLocale(edition)
  const core = await loadCore(locale)
  const site = createSite(edition, core.dates)
  const intl = makeIntl(locale, edition.timeZone, core.messages, site.format)
  const session = createSession(browserSession(site))

  const addWords = async (area: Area) => intl.add((await loadWords(locale, area)).messages)

  const loading: Loading = { intl, locale, session, isPage: (pathname) => routeOf(routes, pathname) !== 'notFound', here: () => router.state.location.pathname + router.state.location.search }
  const routes = buildRoutes(edition, (id) => makeLoader(id, loading))
  if (!routes[0]?.children || routes[0].children.length === 1) console.warn('No routes found for envHost')

  // All that the first render needs is here before it starts: nothing may suspend while hydrating.
  const [View] = await Promise.all([
    loadRoute(page.route, loading),
    statusOf(page.url) ? addWords('errors') : null,
  ])
  const loaded: LoadedPage = { page, View }
  const leaf = matchPath(routes, window.location.pathname).at(-1)?.route.id ?? 'notFound'
  const router = createBrowserRouter(routes, { hydrationData: { loaderData: { [leaf]: loaded } } })

  const app = (
    <App site={site} intl={intl} session={session} loadWords={addWords}>
      <RouterProvider router={router} />
    </App>
  )
  // In slices, so that scrolling and typing do not wait for all of it.
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, app, rootOptions))
  else createRoot(root, rootOptions).render(app)
  ownScroll(window)
  handleLinks(document, loading.isPage, (to) => void router.navigate(to))
  void session.load().catch((error: unknown) => {
    if (!(error instanceof TypeError)) reportError(error, 'session') // that is a page that was left, or no network
  })
}
