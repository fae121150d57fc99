import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerCalls, cameFrom, refuse, to, watchLeaving } from '../../test/calls.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { linkHash } from './link-hash.ts'
import { Page as Login } from './login.page.tsx'
import { Page as Logout } from './logout.page.tsx'
import { Page as Registration } from './registration.page.tsx'
import { Page as SecurityCheck } from './security-check.page.tsx'
import { Page as Sent } from './sent.page.tsx'

const address = 'jana.nova@north.example'
const login = makePage({ email: '', referrer: '/17/most' }, { route: 'login', url: '/account/login' })
const sent = makePage({ type: 'thankyou-login', email: address, referrer: '/17/most', inbox: 'https://mail.example/' } as const, { route: 'sent', url: '/account/sent' })

beforeEach(() => {
  window.history.replaceState(null, '', '/')
  cameFrom(`${window.location.origin}/`)
})
afterEach(() => vi.useRealTimers())

describe.each(Object.values(editions))('$id', (edition) => {
  const words = edition.locale === 'sk' ? { login: 'Prihlásiť sa', email: 'E-mailová adresa', busy: 'Okamih, prosím…' } : { login: 'Anmelden', email: 'E-Mail-Adresse', busy: 'Einen Moment…' }

  test('login has the mail sent, says so meanwhile, and goes on to the page that tells', async () => {
    const calls = answerCalls({ '/fns/user-login': [to('/account/sent?type=thankyou-login')] })
    const assign = watchLeaving()
    const { user } = render(<Login page={login} />, { edition })
    await user.type(screen.getByLabelText(words.email), ` ${address} {Enter}`)
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/sent?type=thankyou-login'))
    expect(calls).toEqual([{ method: 'POST', path: '/fns/user-login', body: { type: 'login', payload: { email: address, type: 'login', referrer: '/17/most', agreed: 'privacy@1' } } }])
    expect(screen.getByRole('button', { name: words.busy })).toHaveProperty('disabled', true)
  })

  test('login is a real form with the same members', () => {
    const { container } = render(<Login page={login} />, { edition })
    const form = container.querySelector('form')
    expect([form?.method, form?.getAttribute('action')]).toEqual(['post', '/fns/user-login'])
    expect(Object.fromEntries(new FormData(form!))).toEqual({ type: 'login', referrer: '/17/most', email: '', website: '', agreed: 'privacy@1' })
    expect(screen.getByLabelText(words.email)).toHaveProperty('required', true)
  })

  test('what a program writes into the field that people do not see goes along', async () => {
    const calls = answerCalls({ '/fns/user-login': [to('/account/sent')] })
    const assign = watchLeaving()
    const { container, user } = render(<Login page={login} />, { edition })
    const trap = container.querySelector<HTMLInputElement>('form[action="/fns/user-login"] input[name=website]')!
    expect([trap.tabIndex, trap.closest('[aria-hidden]') !== null]).toEqual([-1, true])
    fireEvent.change(trap, { target: { value: 'https://spam.example' } })
    await user.type(screen.getByLabelText(words.email), `${address}{Enter}`)
    await waitFor(() => expect(assign).toHaveBeenCalled())
    expect(calls[0]?.body).toMatchObject({ payload: { email: address, website: 'https://spam.example' } })
  })

  test('registration names the edition’s free articles and carries the way back on', () => {
    render(<Registration page={login} />, { edition })
    expect(screen.getByText(edition.limits.period === 'week' ? /jede Woche/ : edition.locale === 'sk' ? /každý mesiac/ : /jeden Monat/).textContent).toContain('3')
    expect(screen.getByRole('link', { name: words.login }).getAttribute('href')).toBe('/account/login?referrer=%2F17%2Fmost')
  })
})

test('what is no address is said beside the field, in our words, and nothing is sent', async () => {
  const calls = answerCalls({})
  const { user } = render(<Login page={login} />)
  const field = screen.getByLabelText('E-mailová adresa')
  await user.type(field, 'jana{Enter}')
  expect((await screen.findByText(/v správnom tvare/)).getAttribute('role')).toBe('alert')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field)
  expect(calls).toEqual([])
})

test.each([
  [refuse('FORBIDDEN_DOMAIN'), /povolenú e-mailovú doménu/, true],
  [refuse('INVALID_ARGS', 'email'), /neplatné údaje/, true],
  [refuse('NOBODY_KNOWS'), /Niečo sa pokazilo/, false],
] as const)('the refusal %o is told, by the field only if it is about it', async (answer, words, ofField) => {
  answerCalls({ '/fns/user-login': [[...answer]] })
  const assign = watchLeaving()
  const { user } = render(<Login page={login} />)
  await user.type(screen.getByLabelText('E-mailová adresa'), `${address}{Enter}`)
  expect((await screen.findByText(words)).getAttribute('role')).toBe('alert')
  expect(screen.getByLabelText('E-mailová adresa').getAttribute('aria-invalid')).toBe(ofField ? 'true' : null)
  expect(screen.getByRole('button', { name: 'Prihlásiť sa' })).toHaveProperty('disabled', false)
  expect(assign).not.toHaveBeenCalled()
})

test('the sixth digit sends the code; a wrong one makes way for another', async () => {
  const calls = answerCalls({ '/api/login-code-validation': [refuse('INVALID_CODE'), to('/17/most')] })
  const assign = watchLeaving()
  const { user } = render(<Sent page={sent} />)
  await user.click(screen.getByLabelText('Číslica 1 z 6'))
  await user.keyboard('12345')
  expect(calls).toEqual([])
  await user.keyboard('6')
  expect(await screen.findByText('Zadali ste nesprávny kód.')).toBeTruthy()
  expect(calls[0]?.body).toEqual({ email: address, code: '123456', referrer: '/17/most', type: 'login' })
  const first = screen.getByLabelText<HTMLInputElement>('Číslica 1 z 6')
  await waitFor(() => expect([first.isConnected && first.value, document.activeElement]).toEqual(['', screen.getByLabelText('Číslica 1 z 6')]))
  await user.paste('654 321')
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/17/most'))
})

test('half a code is not sent', async () => {
  const calls = answerCalls({})
  const { user } = render(<Sent page={sent} />)
  await user.click(screen.getByLabelText('Číslica 1 z 6'))
  await user.keyboard('123{Enter}')
  expect(await screen.findByText('Zadali ste nesprávny kód.')).toBeTruthy()
  expect(screen.getByLabelText('Číslica 2 z 6')).toHaveProperty('value', '2')
  expect(calls).toEqual([])
})

test('the mail is sent again at most once a minute, and its page says so', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const calls = answerCalls({ '/fns/user-login': [to('/account/sent')] })
  render(<Sent page={sent} />)
  expect(screen.getByText(address)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Otvoriť e-mail' })).toHaveProperty('target', '_blank')
  fireEvent.click(screen.getByRole('button', { name: 'Poslať e-mail znova' }))
  expect(await screen.findByRole('button', { name: 'Odoslané!' })).toHaveProperty('disabled', true)
  expect(screen.getByText(/o 60 sekúnd/).getAttribute('role')).toBe('status')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await screen.findByRole('button', { name: 'Poslať e-mail znova' })).toHaveProperty('disabled', false)
  expect(calls.filter((call) => call.path === '/fns/user-login')).toHaveLength(1)
})

test('a mail that could not be sent again is told and reported', async () => {
  answerCalls({ '/fns/user-login': [refuse('ERROR')] })
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.stubGlobal('navigator', { userAgent: '', sendBeacon: () => true })
  render(<Sent page={sent} />)
  fireEvent.click(screen.getByRole('button', { name: 'Poslať e-mail znova' }))
  expect(await screen.findByText(/nepodarilo odoslať/)).toBeTruthy()
  expect(String(log.mock.calls[0]?.[0])).toContain('Resend email failed.')
})

test('inside another app, the code is the way in, and every page on the way says so', () => {
  const inApp = 'Instagram'
  for (const page of [<Sent key="" page={{ ...sent, data: { ...sent.data, inApp } }} />, <Login key="" page={{ ...login, data: { ...login.data, inApp } }} />, <Registration key="" page={{ ...login, data: { ...login.data, inApp } }} />]) {
    const { unmount } = render(page)
    expect(screen.getByText(/v aplikácii Instagram/).textContent).toContain('v inom prehliadači')
    unmount()
  }
  render(<Login page={login} />)
  expect(screen.queryByText(/v aplikácii/)).toBeNull()
})

describe('the link of the mail', () => {
  const open = (address: string) => {
    window.history.replaceState(null, '', address)
    return render(<SecurityCheck />)
  }

  test('logs in at once in the browser that asked', async () => {
    const calls = answerCalls({ '/api/security-login': [to('/17/most')] })
    const assign = watchLeaving()
    open('/security-check#hash=abc')
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/17/most'))
    expect(calls.map(({ body }) => body)).toEqual([{ user_hash: 'abc' }])
  })

  test('elsewhere does nothing until it is confirmed', async () => {
    const calls = answerCalls({ '/api/security-login': [[200, { success: true, data: { confirm: true, email: 'j•••@north.example' } }], to('/')] })
    const assign = watchLeaving()
    const { user } = open('/security-check#hash=abc')
    expect(await screen.findByText('j•••@north.example')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    expect(assign).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Prihlásiť sa' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
    expect(calls[1]?.body).toEqual({ user_hash: 'abc', confirm: true })
  })

  test('that is too old says so and offers a new one', async () => {
    answerCalls({ '/api/security-login': [refuse('EXPIRED_TOKEN')] })
    open('/security-check#hash=abc')
    expect((await screen.findByRole('alert')).textContent).toContain('sa skončila')
    expect(screen.getByRole('link', { name: 'Prihlásiť sa znova' })).toHaveProperty('pathname', '/account/login')
  })

  test('without its key is told from one that fails', async () => {
    const calls = answerCalls({})
    open('/security-check')
    expect((await screen.findByRole('alert')).textContent).toContain('nie je úplný')
    expect(calls).toEqual([])
  })

  test.each([
    ['https://north.example/security-check#hash=a-b_c', 'a-b_c'],
    ['https://north.example/security-check%23hash=abc', 'abc'],
    ['https://north.example/security-check#hash%3Dabc', 'abc'],
    ['https://north.example/security-check?x=1#hash=abc&y=2', 'abc'],
    ['https://north.example/security-check#hash=a%E0', 'a%E0'],
    ['https://north.example/security-check?hash=abc', ''],
    ['https://north.example/security-check#hash=', ''],
  ])('%s', (url, hash) => {
    expect(linkHash(url)).toBe(hash)
  })
})

test('logging out needs no click', async () => {
  const calls = answerCalls({ '/api/logout': [[200, { success: true }]] })
  const assign = watchLeaving()
  const { container } = render(<Logout />)
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/'))
  expect(calls).toHaveLength(1)
  expect(container.querySelector('form')?.getAttribute('action')).toBe('/api/logout')
})

test('another site, or an address that was typed in, logs nobody out without the button', async () => {
  for (const referrer of ['', 'https://evil.example/', `${window.location.origin}.evil.example/`]) {
    const calls = answerCalls({ '/api/logout': [[200, { success: true }]] })
    const assign = watchLeaving()
    cameFrom(referrer)
    const { user, unmount } = render(<Logout />)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls, referrer).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Odhlásiť sa' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
    expect(calls, referrer).toHaveLength(1)
    unmount()
  }
})

test('a failed logout can be tried again', async () => {
  answerCalls({ '/api/logout': [refuse('ERROR')] })
  render(<Logout />)
  expect(await screen.findByText(/Niečo sa pokazilo/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Odhlásiť sa' })).toHaveProperty('disabled', false)
})
