import { describe, expect, test, vi } from 'vitest'
import { readMe } from './browser.ts'
import { createSession, isSubscriber, type Me } from './session.ts'

const answer = { user_id: 7, email: 'a@north.example', expiration: 1_900_000_000, active_product: 'product_monthly', has_trial: true } as const

describe('the answer of /user/me', () => {
  test('is read into the session’s names', () => {
    expect(readMe(answer)).toMatchObject({ reader: { userId: 7, userEmail: 'a@north.example', userSubscription: 1_900_000_000, userProduct: 'product_monthly', hasTrial: true } })
  })
  test.each(['INVALID_HASH', 'EXPIRED_LOGIN', 'OUTDATED_COOKIE_VERSION'])('%s ends the session', (description) => {
    expect(readMe({ description, login_cookie: 'new' })).toEqual({ ended: description, loginCookie: 'new' })
  })
  test('no user for a reason not known ends it too', () => {
    expect(readMe({ description: 'WHATEVER' })).toEqual({ ended: 'EXPIRED_LOGIN', loginCookie: '' })
  })
})

describe('the session', () => {
  const start = (handle: string | null, me: Me) => {
    const source = { handle: () => handle, me: vi.fn(async () => me), onEnded: vi.fn() }
    return { source, store: createSession(source) }
  }

  test('is unknown at first, and a guest’s without a cookie: nobody is asked', async () => {
    const { source, store } = start(null, readMe(answer))
    expect(store.get()).toEqual({ status: 'unknown' })
    await store.load()
    expect(store.get()).toEqual({ status: 'guest' })
    expect(source.me).not.toHaveBeenCalled()
  })

  test('is the reader’s that the server knows, and says so', async () => {
    const { store } = start('handle', readMe(answer))
    const listener = vi.fn()
    store.subscribe(listener)
    await store.load()
    expect(listener).toHaveBeenCalledOnce()
    expect(isSubscriber(store.get())).toBe(true)
  })

  test('is over when the server says so', async () => {
    const { source, store } = start('handle', { ended: 'INVALID_HASH', loginCookie: '' })
    await store.load()
    expect(store.get()).toEqual({ status: 'guest' })
    expect(source.onEnded).toHaveBeenCalledExactlyOnceWith('INVALID_HASH', '')
  })

  test('stays unknown when the server cannot be reached', async () => {
    const { source, store } = start('handle', readMe(answer))
    source.me.mockRejectedValue(new Error('offline'))
    await expect(store.load()).rejects.toThrow('offline')
    expect(store.get()).toEqual({ status: 'unknown' })
  })
})
