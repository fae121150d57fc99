import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { render } from '../test/render.tsx'
import { Notification } from './notification.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function show(url: string) {
  const result = render(<Notification url={url} />, { url })
  await pass(0)
  return result
}

describe('a message that the address asks for', () => {
  test('fades after five seconds and is gone from the address, where the rest stays', async () => {
    const { path } = await show('/x?offset=19&status=INVALID_CODE#y')
    expect(screen.getByRole('alert').textContent).not.toBe('')
    await pass(4999)
    expect(document.querySelector('[data-leaving]')).toBeNull()
    expect(path()).toContain('status=INVALID_CODE')
    await pass(1)
    expect(document.querySelector('[data-leaving]')).toBeTruthy()
    await pass(200)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(path()).toBe('/x?offset=19')
  })

  test('of a session that is over stays, and leads to the login and back to this page', async () => {
    await show('/tema?offset=19&status=INVALID_TOKEN')
    await pass(60_000)
    expect(screen.getByRole('alert').textContent).not.toBe('')
    expect(screen.getByRole('link').getAttribute('href')).toBe('/account/login?referrer=%2Ftema%3Foffset%3D19')
  })

  test('of a session that is over has no link on the login page itself', async () => {
    await show('/account/login?status=INVALID_TOKEN')
    expect(screen.getByRole('alert').textContent).not.toBe('')
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('goes by its button', async () => {
    const { path } = await show('/?status=EMAIL_SENT')
    expect(screen.getByRole('status').textContent).not.toBe('')
    fireEvent.click(screen.getByRole('button', { name: 'Zavrieť' }))
    await pass(0)
    expect(screen.queryByRole('status')).toBeNull()
    expect(path()).toBe('/')
  })

  test.each([
    ['INVALID_CODE', 'error'],
    ['PAYMENT_SUCCESS', 'success'],
  ])('%s looks like an %s', async (code, kind) => {
    await show(`/?status=${code}`)
    expect(document.querySelector('[data-kind]')?.getAttribute('data-kind')).toBe(kind)
  })

  test.each(['TOO_MANY_REQUESTS', 'OVERLOADED', 'TRY_AGAIN', 'BODY_TOO_LARGE', 'CROSS_ORIGIN', 'FOREIGN_USER', 'COMMENT_GONE'])('%s is said on any page', async (code) => {
    await show(`/?status=${code}`)
    expect(screen.getByRole('alert').textContent).not.toContain('status.')
  })

  test('without a connection no words can be fetched: that one is said all the same', async () => {
    render(<Notification url="/?status=CONNECTION_FAILED" />, { url: '/?status=CONNECTION_FAILED', without: 'status.' })
    await pass(0)
    expect(screen.getByRole('alert').textContent).toContain('Skontrolujte, prosím, pripojenie')
  })

  test.each(['NOBODY_KNOWS', 'toString', ''])('%j says nothing, and stays in the address', async (code) => {
    const { path } = await show(`/?status=${code}`)
    expect(document.querySelector('[data-kind]')).toBeNull()
    expect(path()).toBe(`/?status=${code}`)
  })
})
