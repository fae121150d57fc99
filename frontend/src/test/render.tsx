import { render as renderBare, type RenderResult } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { vi } from 'vitest'
import type { Page } from '../api/page.ts'
import { App } from '../app/app.tsx'
import { NavigationProvider, staticNavigation } from '../app/navigation.tsx'
import { messageLocale } from '../editions/locale.ts'
import { createSite } from '../editions/site.ts'
import type { PublicEdition } from '../editions/types.ts'
import { makeIntl } from '../i18n/intl.ts'
import { allWords } from '../i18n/words.server.ts'
import { fixedSession, type Reader, type Session } from '../session/session.ts'
import { makeEdition } from './editions.ts'
import { followRouter, makeRouter } from './navigation.ts'

export interface RenderOptions {
  edition?: PublicEdition
  session?: Session
  /** Path and query of the window. */
  url?: string
  /** The page that is shown, for what reads more of it than its data. */
  page?: Page
  /** Beginning of the ids of words that have not been fetched. */
  without?: string
}

/** As the app does: an edition's words, formats and addresses, a session, a router. */
function wrap(ui: ReactNode, { edition = makeEdition(), session = { status: 'guest' }, url = '/', page, without }: RenderOptions) {
  const locale = messageLocale(edition)
  const { dates, messages: all } = allWords(locale)
  const messages = without ? Object.fromEntries(Object.entries(all).filter(([id]) => !id.startsWith(without))) : all
  const site = createSite(edition, dates)
  const router = makeRouter(url)
  const app = (
    <App site={site} intl={makeIntl(locale, edition.timeZone, messages, site.format)} session={fixedSession(session)}>
      <NavigationProvider navigation={page ? staticNavigation(url, { page, View: () => null }) : followRouter(router)}>{ui}</NavigationProvider>
    </App>
  )
  return { app, router }
}

/** Renders in the browser. */
export function render(ui: ReactNode, options: RenderOptions = {}): RenderResult & { user: UserEvent; path: () => string } {
  const { app, router } = wrap(ui, options)
  return { ...renderBare(app), user: userEvent.setup(), path: () => router.state.location.pathname + router.state.location.search }
}

/** What the server makes of it, which is all that there is without scripts. Its engine has no URLSearchParams, so none is here. */
export function serverHTML(ui: ReactNode, options: RenderOptions = {}): string {
  const { app } = wrap(ui, options)
  vi.stubGlobal('URLSearchParams', undefined)
  try {
    return renderToString(app)
  } finally {
    vi.unstubAllGlobals()
  }
}

/** A page around the data that a test cares about. */
export function makePage<Data>(data: Data, over: Partial<Omit<Page, 'data'>> = {}): Page<Data> {
  return {
    route: 'front',
    url: '/',
    status: 200,
    params: {},
    tier: 'anonymous',
    today: '2026-11-21',
    meta: { title: 'Titulok', description: 'Opis', canonical: 'https://north.example/' },
    ...over,
    data,
  }
}

/** A signed-in reader without a subscription. */
export const makeReader = (over: Partial<Reader> = {}): Session => ({
  status: 'reader',
  reader: {
    userId: 7,
    userEmail: 'citatel@north.example',
    userAgreedToTerms: 'true',
    userSubscription: 0,
    userProduct: 'no_product',
    userType: '',
    userCommentName: '',
    hasTrial: false,
    expirationReminder: false,
    ...over,
  },
})
