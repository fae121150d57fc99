import { render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/error.ts'
import { createSite } from '../editions/site.ts'
import { makeIntl } from '../i18n/intl.ts'
import { allWords } from '../i18n/words.server.ts'
import { fixedSession } from '../session/session.ts'
import { makeEdition } from '../test/editions.ts'
import { followRouter } from '../test/navigation.ts'
import { App } from './app.tsx'
import { NavigationProvider } from './navigation.tsx'
import { Screen } from './screen.tsx'

const sendBeacon = vi.fn<() => boolean>(() => true)
beforeEach(() => {
  sendBeacon.mockClear()
  vi.stubGlobal('navigator', { userAgent: '', sendBeacon })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

async function fail(error: Error) {
  const edition = makeEdition()
  const { dates, messages } = allWords('sk')
  const site = createSite(edition, dates)
  const router = createMemoryRouter([{ path: '*', loader: () => Promise.reject(error), element: null }])
  render(
    <App site={site} intl={makeIntl('sk', edition.timeZone, messages, site.format)} session={fixedSession({ status: 'guest' })}>
      <NavigationProvider navigation={followRouter(router)}>
        <Screen />
      </NavigationProvider>
    </App>,
  )
  await screen.findByRole('heading', { level: 1 })
}

test.each([
  ['a server with too much to do', new ApiError(503, 'OVERLOADED')],
  ['a server that has to be asked again', new ApiError(503, 'TRY_AGAIN')],
  ['no connection', new ApiError(0, 'CONNECTION_FAILED')],
])('%s is nobody’s fault and passes', async (_, error) => {
  await fail(error)
  expect(screen.getByText(/o chvíľu znova/)).toBeTruthy()
  expect(screen.queryByText(/na našej strane/)).toBeNull()
  expect(sendBeacon).not.toHaveBeenCalled()
})

test.each([
  ['a fault of the server', new ApiError(500, 'ERROR')],
  ['a fault of the page', new TypeError('x is not a function')],
])('%s is ours, and we are told', async (_, error) => {
  await fail(error)
  expect(screen.getByText(/na našej strane/)).toBeTruthy()
  await waitFor(() => expect(sendBeacon).toHaveBeenCalled()) // an effect may follow the screen
})
