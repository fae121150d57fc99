import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { answerCalls, refuse } from '../../test/calls.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page as Login } from './login.page.tsx'
import { Page as Registration } from './registration.page.tsx'

const address = 'jana.nova@north.example'
const login = makePage({ email: '', referrer: '/17/most' }, { route: 'login', url: '/account/login' })

describe('where no more mails are sent, both forms name the ways that are left', () => {
  const ways = /posledných 10 minútach.*prístupový kľúč.*o hodinu.*zajtra/
  const refused = { ...login, url: '/account/login?status=TOO_MANY_REQUESTS' }
  const told = () => screen.getAllByRole('alert').filter((alert) => ways.test(alert.textContent))

  test.each([
    ['login', Login],
    ['registration', Registration],
  ] as const)('%s, sent by script or as a plain form', async (_, Form) => {
    answerCalls({ '/fns/user-login': [refuse('TOO_MANY_REQUESTS'), refuse('FORBIDDEN_DOMAIN')] })
    const { user, unmount } = render(<Form page={login} />)
    expect(told()).toHaveLength(0)
    const field = screen.getByLabelText('E-mailová adresa')
    await user.type(field, `${address}{Enter}`)
    await waitFor(() => expect(told()).toHaveLength(1))
    expect(field.getAttribute('aria-invalid')).toBeNull()
    unmount()
    render(<Form page={refused} />)
    expect(told()).toHaveLength(1)
    await user.type(screen.getByLabelText('E-mailová adresa'), `${address}{Enter}`)
    expect(await screen.findByText(/povolenú e-mailovú doménu/)).toBeTruthy()
    expect(told()).toHaveLength(0)
  })

  test('and not where it was the message about a forgotten address that was refused', () => {
    render(<Login page={{ ...refused, data: { ...refused.data, forgotten: { name: '', email: '', message: 'Jana' } } }} />)
    expect(told()).toHaveLength(0)
  })
})
