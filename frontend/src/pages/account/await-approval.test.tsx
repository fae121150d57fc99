import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerCalls, refuse } from '../../test/calls.ts'
import { makePage, render, serverHTML } from '../../test/render.tsx'
import { Page as Sent } from './sent.page.tsx'

afterEach(() => vi.useRealTimers())

describe('while a login waits for an answer elsewhere', () => {
  const waiting = makePage({ type: 'thankyou-login', email: 'jana.nova@north.example', referrer: '/', number: 42 } as const, { route: 'sent', url: '/account/sent' })
  const pending = (number: number): [number, unknown] => [200, { success: true, status: 'pending', number }]
  const open = (...answers: [number, unknown][]) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const calls = answerCalls({ '/api/login-approval': answers })
    render(<Sent page={waiting} />)
    return calls
  }

  test('its number is shown, and the one of an email that was sent again', async () => {
    const calls = open(pending(42), pending(73))
    expect(screen.getByText('42')).toBeTruthy()
    expect(screen.getByText(/toto číslo:/)).toBeTruthy()
    await vi.advanceTimersByTimeAsync(3000)
    expect(screen.getByText('42')).toBeTruthy()
    await vi.advanceTimersByTimeAsync(3000)
    expect(await screen.findByText('73')).toBeTruthy()
    expect(screen.queryByText('42')).toBeNull()
    expect(calls).toHaveLength(2)
  })

  test('a no takes the number away and is told', async () => {
    open(refuse('LOGIN_DENIED'))
    await vi.advanceTimersByTimeAsync(3000)
    expect(await screen.findByText(/na druhom zariadení odmietnuté/)).toBeTruthy()
    expect(screen.queryByText('42')).toBeNull()
    expect(screen.queryByText(/toto číslo:/)).toBeNull()
  })

  test('a login that is over is no way in any more', async () => {
    open(refuse('EXPIRED_TOKEN'))
    await vi.advanceTimersByTimeAsync(3000)
    await waitFor(() => expect(screen.queryByText('Ste prihlásení inde?')).toBeNull())
    expect(screen.queryByText('42')).toBeNull()
  })

  test('without scripts, its number stands above the button', () => {
    const html = serverHTML(<Sent page={waiting} />)
    expect(html.indexOf('>42<')).toBeGreaterThan(0)
    expect(html.indexOf('>42<')).toBeLessThan(html.indexOf('Prihlásenie je potvrdené'))
  })
})
