import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import '../entry.server.tsx'
import { editions } from '../test/editions.ts'
import { endApps } from '../test/end-apps.ts'
import { makePage } from '../test/render.tsx'
import { start } from './start.tsx'

vi.mock('react-dom/client', { spy: true })
afterEach(endApps)

const { __ssr: server } = globalThis as unknown as { __ssr: { setEdition: (json: string) => void; renderPage: (id: string, json: string) => string } }

const soon = { timeout: 10_000 } // what is imported on the way takes its time on a busy machine

// Pages that an edition can show without data of their own.
const pageAt = (url: string, title: string) => makePage({ mostRead: [] }, { route: 'notFound', url, status: 404, meta: { title, description: '', canonical: `https://north.example${url}` } })

test('the first click finds the server’s page taken over, fetches the router and the page, and leaves all else in its place', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.stubGlobal('navigator', { userAgent: '', sendBeacon: () => true })
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
  document.cookie = 'gdpr_consent=all; Path=/'
  let answer: () => void = () => undefined
  const asked = vi.fn<(url: string) => Promise<Response>>(async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    return Response.json(pageAt('/17/most', 'Most'))
  })
  vi.stubGlobal('fetch', asked)

  const page = pageAt('/404', 'Nič tu nie je')
  const edition = editions.sk
  window.history.replaceState(null, '', '/404')
  server.setEdition(JSON.stringify(edition))
  document.body.innerHTML = `<div id="app">${server.renderPage(edition.id, JSON.stringify(page))}</div>`
  const bootstrap = Object.assign(document.createElement('script'), { id: 'bootstrap', type: 'application/json', textContent: JSON.stringify({ edition, page }) })
  const link = Object.assign(document.createElement('a'), { href: '/17/most#x' })
  document.body.append(bootstrap, link)
  const served = document.querySelector('header')
  await act(() => start(document))
  const main = document.querySelector('main')!

  link.click()
  await waitFor(() => expect(main.getAttribute('aria-busy')).toBe('true'), soon)
  await waitFor(() => expect(asked.mock.calls.map(([url]) => url)).toContain('/api/page?url=%2F17%2Fmost'), soon)
  expect(window.location.pathname).toBe('/404')
  await act(async () => answer())
  await waitFor(() => expect(window.location.href).toBe('https://north.example/17/most#x'), soon)
  await waitFor(() => expect(main.getAttribute('aria-busy')).toBe('false'), soon)
  expect(document.title).toBe('Most')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  expect(document.querySelector('header')).toBe(served)
  expect(document.querySelector('main')).toBe(main)
  expect(errors).not.toHaveBeenCalled()
}, 30_000)
