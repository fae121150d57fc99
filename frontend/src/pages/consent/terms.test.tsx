import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { editions, makeEdition } from '../../test/editions.ts'
import { makeReader, render } from '../../test/render.tsx'
import type { Session } from '../../session/session.ts'
import { Terms } from './terms.tsx'

const documents = [{ id: 'privacy', version: '3', hash: 'abc', title: 'Ochrana údajov', url: '/static/sukromie', sections: [{ title: 'Prvá časť', html: '<p>Text jedna.</p>' }, { title: 'Druhá časť', html: '<p>Text dva.</p>' }] }]
const { reader } = makeReader({ userAgreedToTerms: 'undefined' }) as Extract<Session, { status: 'reader' }>
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** Answers of the server by path, taken one after the other; the last one stays. */
function server(saved: Response[], read: Response[] = [json({ documents })]) {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const list = request.method === 'GET' ? read : saved
    if (request.method === 'POST') sent.push(await request.json())
    return (list.length > 1 ? list.shift()! : list[0]!).clone()
  })
  return sent
}
const button = (index: number) => screen.getAllByRole('button').filter((one) => !one.querySelector('svg'))[index]!
const ready = () => screen.findByText(/Ochrana údajov/)

beforeEach(() => {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) { this.open = true }
})
afterEach(() => vi.unstubAllGlobals())

describe.each(Object.values(editions))('the question about the documents in $id', (edition) => {
  test.each([
    [0, 'privacy'],
    [1, 'later'],
    [2, 'false'],
  ])('sends answer %i with what was shown, and goes', async (index, consent) => {
    const sent = server([json({ success: true })])
    const onDone = vi.fn()
    const { user } = render(<Terms reader={reader} onDone={onDone} />, { edition })
    await ready()
    await user.click(button(index))
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ consent, user_id: 7, shown: ['abc'] }])
  })

  test('has a group with its sections, and three answers that look the same', async () => {
    server([json({})])
    render(<Terms reader={reader} onDone={() => undefined} />, { edition })
    await ready()
    expect(document.querySelectorAll('details')).toHaveLength(2)
    expect(new Set([0, 1, 2].map((index) => button(index).className)).size).toBe(1)
    expect(screen.getByText('Text jedna.')).toBeTruthy()
  })
})

test('accepts every document that the edition asks about', async () => {
  const sent = server([json({})])
  const edition = makeEdition({ consent: { ...makeEdition().consent, accordions: [{ document: 'terms', sections: 11 }, { document: 'privacy', sections: 9 }] } })
  const { user } = render(<Terms reader={reader} onDone={() => undefined} />, { edition })
  await ready()
  await user.click(button(0))
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ consent: 'terms,privacy' })]))
})

test('nothing can be answered before the documents are here', () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  render(<Terms reader={reader} onDone={() => undefined} />)
  expect([0, 1, 2].map((index) => (button(index) as HTMLButtonElement).disabled)).toEqual([true, true, true])
})

test('documents that did not come can be asked for again', async () => {
  server([json({})], [json({ error: 'ERROR' }, 500), json({ documents })])
  const { user } = render(<Terms reader={reader} onDone={() => undefined} />)
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('nepodarilo'))
  await user.click(button(0))
  await ready()
  expect(screen.getByRole('alert').textContent).toBe('')
})

test('what could not be saved is said, and can be answered again', async () => {
  const sent = server([json({ error: 'ERROR' }, 500), json({})])
  const onDone = vi.fn()
  const { user } = render(<Terms reader={reader} onDone={onDone} />)
  await ready()
  await user.click(button(0))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('nepodarilo uložiť'))
  expect(onDone).not.toHaveBeenCalled()
  await user.click(button(0))
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(sent).toHaveLength(2)
})

test('a text that has changed since is shown anew, and nothing was agreed to', async () => {
  const changed = [{ ...documents[0], hash: 'def', title: 'Ochrana údajov, nová' }]
  const sent = server([json({ error: 'INVALID_ARGS', field: 'shown' }, 400), json({})], [json({ documents }), json({ documents: changed })])
  const onDone = vi.fn()
  const { user } = render(<Terms reader={reader} onDone={onDone} />)
  await ready()
  await user.click(button(0))
  await screen.findByText('Ochrana údajov, nová')
  expect(screen.getByRole('alert').textContent).toContain('zmenil')
  expect(onDone).not.toHaveBeenCalled()
  await user.click(button(0))
  await waitFor(() => expect(sent.at(-1)).toEqual({ consent: 'privacy', user_id: 7, shown: ['def'] }))
})

test('closed without an answer, nothing is sent', async () => {
  const sent = server([json({})])
  const onDone = vi.fn()
  const { user } = render(<Terms reader={reader} onDone={onDone} />)
  await ready()
  await user.click(screen.getByRole('button', { name: 'Zavrieť' }))
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(sent).toEqual([])
})
