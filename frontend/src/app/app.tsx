import type { ReactNode } from 'react'
import { RawIntlProvider, type IntlShape } from 'react-intl'
import type { Site } from '../editions/site.ts'
import type { AppIntl } from '../i18n/intl.ts'
import type { Area } from '../gen/message-ids.ts'
import type { SessionStore } from '../session/session.ts'
import { SessionContext } from '../session/use-session.ts'
import { SiteContext } from './site-context.ts'
import { WordsContext } from './words-context.ts'

export interface AppProps {
  site: Site
  intl: AppIntl
  session: SessionStore
  /** Fetches an area of words; the server has them all. */
  loadWords?: (area: Area) => Promise<void>
  children: ReactNode
}

const nothingToLoad = () => Promise.resolve()

/** Everything that does not change while the app runs, around the router. */
export function App({ site, intl, session, loadWords = nothingToLoad, children }: AppProps) {
  return (
    <RawIntlProvider value={intl as unknown as IntlShape}>
      <SiteContext value={site}>
        <SessionContext value={session}>
          <WordsContext value={loadWords}>{children}</WordsContext>
        </SessionContext>
      </SiteContext>
    </RawIntlProvider>
  )
}
