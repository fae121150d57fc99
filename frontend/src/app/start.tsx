import { startTransition } from 'react'
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client'
import { messageLocale } from '../editions/locale.ts'
import { createSite } from '../editions/site.ts'
import type { Area } from '../gen/message-ids.ts'
import { makeIntl } from '../i18n/intl.ts'
import { loadCore, loadWords } from '../i18n/words.ts'
import { createSession } from '../session/session.ts'
import { browserSession } from '../session/browser.ts'
import { App } from './app.tsx'
import { findRoot, readBootstrap } from './bootstrap.ts'
import { createNavigation } from './browser-navigation.ts'
import { expectNavigation, handleLinks } from './links.ts'
import { loadRoute } from './load-route.ts'
import { NavigationProvider } from './navigation.tsx'
import { reportError } from './report.ts'
import { buildRoutes, routeOf } from './route-objects.ts'
import { Screen } from './screen.tsx'
import { ownScroll } from './scroll.ts'
import { sayEnded } from './say-ended.ts'
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
  const session = createSession(browserSession(site, () => sayEnded(navigation)))

  const addWords = async (area: Area) => intl.add((await loadWords(locale, area)).messages)

  const routes = buildRoutes(edition)
  const isPage = (pathname: string) => routeOf(routes, pathname) !== 'notFound'
  if (routes.length === 1) console.warn('No routes found for envHost')

  // All that the first render needs is here before it starts: nothing may suspend while hydrating.
  const [View] = await Promise.all([
    loadRoute(page.route, { intl, locale }),
    statusOf(page.url) ? addWords('errors') : null,
  ])
  const navigation = createNavigation(window, { page, View }, async (host) => {
    const { startEngine } = await import('./engine.ts')
    const here = () => host.get().location.pathname + host.get().location.search
    return startEngine(host, routes, { intl, locale, session, isPage, here })
  })

  const app = (
    <App site={site} intl={intl} session={session} loadWords={addWords}>
      <NavigationProvider navigation={navigation}>
        <Screen />
      </NavigationProvider>
    </App>
  )
  // In slices, so that scrolling and typing do not wait for all of it.
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, app, rootOptions))
  else createRoot(root, rootOptions).render(app)
  ownScroll(window)
  handleLinks(document, isPage, navigation.navigate)
  expectNavigation(window, isPage, navigation.prepare)
  void session.load().catch((error: unknown) => {
    if (!(error instanceof TypeError)) reportError(error, 'session') // that is a page that was left, or no network
  })
}
