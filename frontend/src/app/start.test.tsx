import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../entry.server.tsx'
import { editions } from '../test/editions.ts'
import { endApps } from '../test/end-apps.ts'
import { makePage } from '../test/render.tsx'
import { start } from './start.tsx'

vi.mock('react-dom/client', { spy: true })
afterEach(endApps)

const { __ssr: server } = globalThis as unknown as { __ssr: { setEdition: (json: string) => void; renderPage: (id: string, json: string) => string } }

// A page that every edition can show without data of its own.
const page = makePage({ mostRead: [] }, { route: 'notFound', url: '/404', status: 404, meta: { title: 'Nič tu nie je', description: '', canonical: 'https://north.example/404' } })

describe.each(Object.values(editions))('$id', (edition) => {
  const errors = vi.fn()
  beforeEach(() => {
    errors.mockClear()
    vi.spyOn(console, 'error').mockImplementation(errors)
    vi.stubGlobal('navigator', { ...window.navigator, sendBeacon: () => true })
    window.history.replaceState(null, '', '/404')
    document.cookie = 'gdpr_consent=all; Path=/'
  })
  afterEach(() => {
    document.body.innerHTML = ''
  })

  const open = async (html: string, url = '/404') => {
    window.history.replaceState(null, '', url)
    document.body.innerHTML = `<div id="app">${html}</div>`
    const data = document.createElement('script')
    data.id = 'bootstrap'
    data.type = 'application/json'
    data.textContent = JSON.stringify({ edition, page: { ...page, url } })
    document.body.append(data)
    await act(() => start(document))
  }
  const rendered = (url = '/404') => {
    server.setEdition(JSON.stringify(edition))
    return server.renderPage(edition.id, JSON.stringify({ ...page, url }))
  }

  test('takes over the server’s HTML as it is', async () => {
    const html = rendered()
    expect(html).toContain('<h1')
    await open(html)
    const [heading] = screen.getAllByRole('heading', { level: 1 })
    expect(heading).toBeTruthy()
    expect(errors).not.toHaveBeenCalled()
  })

  test('renders by itself what the server could not', async () => {
    await open('')
    expect(screen.getByRole('banner')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
    expect(errors).not.toHaveBeenCalled()
  })

  test('says what ?status= means, from the first HTML on', async () => {
    const url = '/404?status=INVALID_CODE'
    const html = rendered(url)
    expect(html).toContain('role="alert"')
    await open(html, url)
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
    expect(errors).not.toHaveBeenCalled()
  })

  test('notices HTML that is not its own', async () => {
    await open(rendered().replace('</h1>', ' a niečo navyše</h1>'))
    await waitFor(() => expect(errors).toHaveBeenCalled())
  })
})

test('an edition without a route has the not-found page alone, and says so once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('navigator', { ...window.navigator, sendBeacon: () => true })
  window.history.replaceState(null, '', '/')
  const full = editions.sk
  const edition = { ...full, paths: Object.fromEntries(Object.keys(full.paths).map((route) => [route, null])) }
  document.body.innerHTML = '<div id="app"></div>'
  const data = Object.assign(document.createElement('script'), { id: 'bootstrap', type: 'application/json', textContent: JSON.stringify({ edition, page: { ...page, url: '/' } }) })
  document.body.append(data)
  await act(() => start(document))
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
  expect(warn.mock.calls.filter(([words]) => String(words).includes('No routes found'))).toEqual([['No routes found for envHost']])
  document.body.innerHTML = ''
})

test('the server refuses an edition that it was not given', () => {
  expect(() => server.renderPage('nobody', JSON.stringify(page))).toThrow('nobody')
})
