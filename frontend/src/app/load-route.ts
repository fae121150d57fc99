import { isAvailable, type AvailableRoute } from '../editions/available.ts'
import { pageAreas } from '../editions/page-areas.gen.ts'
import type { MessageLocale, RouteId } from '../editions/types.ts'
import type { AppIntl } from '../i18n/intl.ts'
import { loadWords } from '../i18n/words.ts'
import type { LoadedPage } from './page-module.ts'
import { pages } from './pages.gen.ts'

export interface RouteLoading {
  intl: AppIntl
  locale: MessageLocale
}

/** The route whose page this bundle shows for a route. */
export const availableRoute = (route: RouteId): AvailableRoute => (isAvailable(route) ? route : 'notFound')

/** Fetches a route's code and words. */
export async function loadRoute(route: RouteId, { intl, locale }: RouteLoading): Promise<LoadedPage['View']> {
  const id = availableRoute(route)
  const [module, ...areas] = await Promise.all([pages[id](), ...pageAreas[id].map((area) => loadWords(locale, area))])
  for (const area of areas) intl.add(area.messages)
  return module.Page as LoadedPage['View']
}
