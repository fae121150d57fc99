import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answerCalls, refuse } from '../../test/calls.ts'
import { makeReader, render } from '../../test/render.tsx'
import { PasskeyOffer } from './passkey-offer.tsx'

class Credential {
  static parseCreationOptionsFromJSON = (options: unknown) => options
  toJSON = () => ({ id: 'key' })
}

function show(make: () => Promise<unknown>) {
  vi.stubGlobal('PublicKeyCredential', Credential)
  vi.stubGlobal('navigator', { userAgent: '', credentials: { create: make }, sendBeacon: () => true })
  const onDone = vi.fn()
  return { onDone, ...render(<PasskeyOffer onDone={onDone} />, { session: makeReader() }) }
}

const ok: [number, unknown][] = [[200, { success: true, data: { publicKey: {} } }]]

test('a passkey is made, and that is said', async () => {
  const calls = answerCalls({ '/fns/passkeys/challenge': ok, '/fns/passkeys/add': ok })
  const { user, onDone } = show(async () => new Credential())
  await user.click(screen.getByRole('button', { name: 'Vytvoriť kľúč' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Hotovo'))
  expect(calls.map(({ path }) => path)).toEqual(['/fns/passkeys/challenge', '/fns/passkeys/add'])
  expect(onDone).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Zavrieť' }))
  expect(onDone).toHaveBeenCalledOnce()
})

test('not now is remembered by the server', async () => {
  const calls = answerCalls({ '/fns/passkeys/decline': ok })
  const { user, onDone } = show(async () => null)
  await user.click(screen.getByRole('button', { name: 'Teraz nie' }))
  expect(onDone).toHaveBeenCalledOnce()
  await waitFor(() => expect(calls.map(({ path }) => path)).toEqual(['/fns/passkeys/decline']))
})

test('who closes the question of the device can go on', async () => {
  answerCalls({ '/fns/passkeys/challenge': ok })
  const { user, onDone } = show(() => Promise.reject(Object.assign(new Error('no'), { name: 'NotAllowedError' })))
  await user.click(screen.getByRole('button', { name: 'Vytvoriť kľúč' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Vytvoriť kľúč' })).toHaveProperty('disabled', false))
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(onDone).not.toHaveBeenCalled()
})

test('what goes wrong is said, and can be tried again', async () => {
  answerCalls({ '/fns/passkeys/challenge': [refuse('ERROR')] })
  const { user } = show(async () => null)
  await user.click(screen.getByRole('button', { name: 'Vytvoriť kľúč' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Nepodarilo sa to')
  expect(screen.getByRole('button', { name: 'Vytvoriť kľúč' })).toHaveProperty('disabled', false)
})
