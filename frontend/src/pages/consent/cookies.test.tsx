import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { editions } from '../../test/editions.ts'
import { render } from '../../test/render.tsx'
import { consentChoice } from '../../session/browser.ts'
import { Consent } from './cookies.tsx'

afterEach(() => {
  document.cookie = 'gdpr_consent=; Max-Age=0; Path=/'
})

describe.each(Object.values(editions))('the cookie question of $id', (edition) => {
  test.each([0, 1])('saves answer %i and goes', async (index) => {
    const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => new Response('{}'))
    vi.stubGlobal('fetch', fetch)
    const onDone = vi.fn()
    const { user } = render(<Consent onDone={onDone} />, { edition })
    const buttons = screen.getAllByRole('button')
    expect(new Set(buttons.map((button) => button.className)).size).toBe(1)
    await user.click(buttons[index]!)
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/set-gdpr-consent-cookie')
    expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body))).toEqual({ consent: ['necessary', 'all'][index] })
  })
})

test('what could not be saved is said, and can be answered again', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }))
  const onDone = vi.fn()
  const { user } = render(<Consent onDone={onDone} />)
  await user.click(screen.getByRole('button', { name: 'Prijať všetko' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('nepodarilo'))
  expect(onDone).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Prijať všetko' })).toHaveProperty('disabled', false)
})

test('it is a region, not a dialog, and links to the privacy text', () => {
  render(<Consent onDone={() => undefined} />)
  expect(screen.getByRole('region', { name: 'Cookies' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('link')).toHaveProperty('pathname', '/static/sukromie')
})

test.each([
  ['gdpr_consent=all', 'all'],
  ['gdpr_consent=necessary.3', 'necessary'],
  ['gdpr_consent=necessary.2', null],
  ['gdpr_consent=perhaps', null],
  ['other=all', null],
])('the cookie %s means %s', (cookie, choice) => {
  document.cookie = `${cookie}; Path=/`
  expect(consentChoice('3')).toBe(choice)
})
