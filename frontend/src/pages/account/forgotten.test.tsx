import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { answerCalls, to, watchLeaving } from '../../test/calls.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page as Login } from './login.page.tsx'

const address = 'jana.nova@north.example'
const login = makePage({ email: '', referrer: '/17/most' }, { route: 'login', url: '/account/login' })

describe('who has forgotten the address', () => {
  const open = async () => {
    const shown = render(<Login page={login} />)
    await shown.user.click(screen.getByText('Zabudli ste svoj e-mail?'))
    return shown
  }

  test('writes to people', async () => {
    const calls = answerCalls({ '/fns/forgotten-email': [to('/account/login?status=EMAIL_SENT')] })
    const assign = watchLeaving()
    const { user } = await open()
    await user.type(screen.getByLabelText('Vaše meno (nepovinné)'), 'Jana Nová')
    await user.type(screen.getByLabelText('Čo si pamätáte'), ' Od roku 2023{Enter}raz ročne. ')
    await user.type(screen.getByLabelText('Kam vám odpíšeme'), `${address}{Enter}`)
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/account/login?status=EMAIL_SENT'))
    expect(calls.map(({ body }) => body)).toEqual([{ name: 'Jana Nová', message: 'Od roku 2023\nraz ročne.', email: address, website: '', referrer: '/17/most' }])
  })

  test('is told beside the field what is missing, and nothing is sent', async () => {
    const calls = answerCalls({})
    const { user } = await open()
    const send = screen.getByRole('button', { name: 'Poslať správu' })
    const [text, email] = [screen.getByLabelText('Čo si pamätáte'), screen.getByLabelText('Kam vám odpíšeme')]
    await user.click(send)
    expect((await screen.findByText(/v správnom tvare/)).getAttribute('role')).toBe('alert')
    expect(document.activeElement).toBe(email)
    await user.type(email, address)
    await user.type(text, '  ')
    await user.click(send)
    expect((await screen.findByText(/podľa čoho váš účet spoznáme/)).getAttribute('role')).toBe('alert')
    expect(document.activeElement).toBe(text)
    expect(calls).toEqual([])
  })

  test('is told when it was too often', async () => {
    answerCalls({ '/fns/forgotten-email': [[429, { success: false, error: 'TOO_MANY_REQUESTS' }]] })
    const { user } = await open()
    await user.type(screen.getByLabelText('Čo si pamätáte'), 'Volám sa Jana.')
    await user.type(screen.getByLabelText('Kam vám odpíšeme'), `${address}{Enter}`)
    expect(await screen.findByText(/Priveľa pokusov/)).toBeTruthy()
  })

  test('has a real form, which keeps what was typed when it was refused, and a field that people do not fill in', () => {
    const typed = { name: 'Jana', email: 'jana@', message: 'Od roku 2023' }
    const { container } = render(<Login page={{ ...login, data: { ...login.data, forgotten: typed } }} />)
    const form = container.querySelector<HTMLFormElement>('form[action="/fns/forgotten-email"]')!
    expect(Object.fromEntries(new FormData(form))).toEqual({ ...typed, referrer: '/17/most', website: '' })
    expect([form.method, form.closest('details')?.open]).toEqual(['post', true])
    const trap = form.elements.namedItem('website') as HTMLInputElement
    expect([trap.tabIndex, trap.closest('[aria-hidden]') !== null]).toEqual([-1, true])
  })
})
