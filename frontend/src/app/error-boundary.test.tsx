import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createSite } from '../editions/site.ts'
import { makeIntl } from '../i18n/intl.ts'
import { allWords } from '../i18n/words.server.ts'
import { fixedSession } from '../session/session.ts'
import { makeEdition } from '../test/editions.ts'
import { makePage } from '../test/render.tsx'
import { App } from './app.tsx'
import { NavigationProvider, staticNavigation, type NavigationState } from './navigation.tsx'
import { Screen } from './screen.tsx'

const sendBeacon = vi.fn<() => boolean>(() => true)
beforeEach(() => {
  sendBeacon.mockClear()
  vi.stubGlobal('navigator', { userAgent: '', sendBeacon })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

function Broken(): never {
  throw new TypeError('x is not a function')
}
const Whole = () => <h1>Celá</h1>
const page = makePage({}, { route: 'notFound' })

/** Shows a page, and then what the test says. */
function show(View: () => React.ReactNode) {
  const edition = makeEdition()
  const { dates, messages } = allWords('sk')
  const site = createSite(edition, dates)
  const fixed = staticNavigation('/', { page, View })
  let tell: (state: NavigationState) => void = () => undefined
  const navigation = {
    ...fixed,
    subscribe: (listener: typeof tell) => {
      tell = listener
      return () => undefined
    },
  }
  render(
    <App site={site} intl={makeIntl('sk', edition.timeZone, messages, site.format)} session={fixedSession({ status: 'guest' })}>
      <NavigationProvider navigation={navigation}>
        <Screen />
      </NavigationProvider>
    </App>,
  )
  const before = fixed.get()
  return {
    tell: (change: Partial<NavigationState>) => act(() => tell({ ...before, ...change })),
    elsewhere: (change: Partial<NavigationState>) => act(() => tell({ ...before, location: { ...before.location, key: 'next' }, ...change })),
  }
}
const failed = () => screen.queryByText(/na našej strane/) !== null

test('what a page throws while it is rendered takes its place, is reported, and goes with the next navigation', async () => {
  const { tell, elsewhere } = show(Broken)
  expect(failed()).toBe(true)
  expect(screen.queryByRole('banner')).toBeNull()
  expect(sendBeacon).toHaveBeenCalledTimes(1)
  // Another page is only on its way: the error stays.
  await tell({ pending: true, loaded: { page, View: Whole } })
  expect(failed()).toBe(true)
  await elsewhere({ loaded: { page, View: Whole } })
  expect(failed()).toBe(false)
  expect(screen.getByRole('heading', { name: 'Celá' })).toBeTruthy()
  expect(screen.getByRole('banner')).toBeTruthy()
})

test('what a loader throws takes the place of the page before', async () => {
  const { elsewhere, tell } = show(Whole)
  expect(failed()).toBe(false)
  await elsewhere({ loaded: undefined, error: new TypeError('no') })
  expect(failed()).toBe(true)
  expect(sendBeacon).toHaveBeenCalledTimes(1)
  await tell({}) // back again
  expect(failed()).toBe(false)
  expect(screen.getByRole('heading', { name: 'Celá' })).toBeTruthy()
})

test('while another page is on its way the page says so, and keeps its place', async () => {
  const { tell } = show(Whole)
  const banner = screen.getByRole('banner')
  const main = document.querySelector('main')!
  expect(main.getAttribute('aria-busy')).toBe('false')
  expect(document.querySelector('[data-loading]')).toBeNull()
  await tell({ pending: true })
  expect(main.getAttribute('aria-busy')).toBe('true')
  expect(document.querySelector('[data-loading]')).toBeTruthy()
  expect(screen.getByRole('banner')).toBe(banner)
})
