import { act, render } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { App } from './app.tsx'
import { NavigationProvider, useLocation } from './navigation.tsx'
import { createSite } from '../editions/site.ts'
import { makeIntl } from '../i18n/intl.ts'
import { allWords } from '../i18n/words.server.ts'
import { fixedSession } from '../session/session.ts'
import { makeEdition } from '../test/editions.ts'
import { followRouter, makeRouter } from '../test/navigation.ts'
import { makePage } from '../test/render.tsx'
import { useArrival } from './use-arrival.ts'

function Arrival() {
  const { pathname } = useLocation()
  useArrival(makePage({}, { url: pathname }))
  return <h1 key={pathname}>Titulok</h1>
}

/** A browser that comes from a long page: the new one is shorter, so it scrolls to its end as soon as that is laid out. */
function Layout() {
  const { key } = useLocation()
  useLayoutEffect(() => {
    vi.stubGlobal('scrollY', 3309)
    window.dispatchEvent(new Event('scroll'))
  }, [key])
  return <Arrival />
}

test('going forward to a shorter page begins where that was left, not at its end', async () => {
  const edition = makeEdition()
  const { dates, messages } = allWords('sk')
  const site = createSite(edition, dates)
  const router = makeRouter('/')
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
  render(
    <App site={site} intl={makeIntl('sk', edition.timeZone, messages, site.format)} session={fixedSession({ status: 'guest' })}>
      <NavigationProvider navigation={followRouter(router)}>
        <Layout />
      </NavigationProvider>
    </App>,
  )
  const go = async (to: string | number) => act(() => (typeof to === 'number' ? router.navigate(to) : router.navigate(to)))
  await go('/2/clanok')
  vi.stubGlobal('scrollY', 120)
  window.dispatchEvent(new Event('scroll')) // the reader has read a little of it
  await go(-1)
  await go(1)
  expect(scrollTo.mock.lastCall).toEqual([0, 120])
})
