import { redirect, redirectDocument, type LoaderFunction } from 'react-router'
import { ApiError, errorCode } from '../api/error.ts'
import { fetchPage, isRedirect, type Page } from '../api/page.ts'
import type { AvailableRoute } from '../editions/available.ts'
import type { SessionStore } from '../session/session.ts'
import { guard } from './guards.ts'
import { availableRoute, loadRoute, type RouteLoading } from './load-route.ts'
import type { LoadedPage } from './page-module.ts'
import { withStatus } from './status.ts'

export interface Loading extends RouteLoading {
  session: SessionStore
  /** Whether a path is a page of this app; other addresses are the server's. */
  isPage: (pathname: string) => boolean
  /** The address of the page that is shown, path and query: not yet the one that is being asked for. */
  here: () => string
}

/** A route's loader in the browser: the page's data, code and words, at the same time. */
export function makeLoader(route: AvailableRoute, loading: Loading): LoaderFunction {
  return async ({ request }) => {
    const url = new URL(request.url)
    const refused = guard(route, loading.session.get(), url.search)
    if (refused) return redirect(refused)

    const likely = loadRoute(route, loading)
    likely.catch(() => undefined) // awaited below, after the page itself
    let answer
    try {
      answer = await fetchPage(url.pathname + url.search, request.signal)
    } catch (error) {
      if (request.signal.aborted) throw error
      return stay(error, loading)
    }
    if (isRedirect(answer)) return follow(answer.redirect, loading)
    const page: Page = answer
    try {
      return { page, View: await (availableRoute(page.route) === route ? likely : loadRoute(page.route, loading)) } satisfies LoadedPage
    } catch {
      // The chunk is gone: the site was deployed anew since this tab was opened. A full load gets the new one.
      if (navigator.onLine) return redirectDocument(url.pathname + url.search)
      return stay(new ApiError(0, 'CONNECTION_FAILED'), loading)
    }
  }
}

// A page that cannot be had is no reason to take away the one that is there: it stays, and says so.
const stay = (error: unknown, { here }: Loading): Response => redirect(withStatus(here(), errorCode(error)))

function follow(to: string, { isPage }: Loading): Response {
  const target = new URL(to, window.location.href)
  const inside = target.origin === window.location.origin && isPage(target.pathname)
  return inside ? redirect(target.pathname + target.search + target.hash) : redirectDocument(target.href)
}
