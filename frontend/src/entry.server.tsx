import type { ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Page } from './api/page.ts'
import { App } from './app/app.tsx'
import { HTMLCache, PageRenderer } from './app/html-cache.server.tsx'
import { NavigationProvider, staticNavigation } from './app/navigation.tsx'
import type { LoadedPage } from './app/page-module.ts'
import { serverPages } from './app/pages.server.gen.ts'
import { Screen } from './app/screen.tsx'
import { ServerCacheContext } from './app/server-cache.tsx'
import { messageLocale } from './editions/locale.ts'
import { isAvailable } from './editions/available.ts'
import { createSite, type Site } from './editions/site.ts'
import type { PublicEdition } from './editions/types.ts'
import { makeIntl, type AppIntl } from './i18n/intl.ts'
import { allWords } from './i18n/words.server.ts'
import { unknownSession } from './session/use-session.ts'

interface Ready {
  site: Site
  intl: AppIntl
}

const editions = new Map<string, Ready>()
let cache = new HTMLCache()

/** Makes an edition ready to render, or replaces it. */
function setEdition(editionJSON: string): void {
  const edition = JSON.parse(editionJSON) as PublicEdition
  cache = new HTMLCache() // it has what followed from the edition before
  const locale = messageLocale(edition)
  const { dates, messages } = allWords(locale)
  const site = createSite(edition, dates)
  editions.set(edition.id, { site, intl: makeIntl(locale, edition.timeZone, messages, site.format) })
}

/** The HTML of #app. Synchronous from end to end: the engine has no timers and runs no jobs. */
function renderPage(editionId: string, pageJSON: string): string {
  const ready = editions.get(editionId)
  if (!ready) throw new Error(`Edition ${editionId} was not set`)
  const page = JSON.parse(pageJSON) as Page
  const View = serverPages[isAvailable(page.route) ? page.route : 'notFound'].Page as LoadedPage['View']
  const inApp = (children: ReactNode) => (
    <App site={ready.site} intl={ready.intl} session={unknownSession}>
      {children}
    </App>
  )
  const renderer = new PageRenderer(editionId, cache)
  const html = renderToString(
    inApp(
      <ServerCacheContext value={renderer}>
        <NavigationProvider navigation={staticNavigation(page.url, { page, View })}>
          <Screen />
        </NavigationProvider>
      </ServerCacheContext>,
    ),
  )
  return renderer.fill(html, (element: ReactElement) => renderToString(inApp(element)))
}

;(globalThis as unknown as { __ssr: object }).__ssr = { setEdition, renderPage }
