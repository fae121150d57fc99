import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { makePage, render } from '../test/render.tsx'
import { useParts } from './use-parts.ts'

const page = makePage({ items: [{ id: 1 }], next: '/list?offset=1' }, { url: '/list' })

function List() {
  const { items, load } = useParts(page, (data) => data.items, ({ data }) => data.next)
  return <button onClick={load}>{items.flat().length}</button>
}

test.each([
  ['offline', () => Promise.reject(new TypeError('Failed to fetch')), 'CONNECTION_FAILED'],
  ['from a server with too much to do', async () => new Response('{"error":"OVERLOADED"}', { status: 503, headers: { 'content-type': 'application/json' } }), 'OVERLOADED'],
  ['that fails', async () => new Response('{"error":"ERROR"}', { status: 500, headers: { 'content-type': 'application/json' } }), 'ERROR'],
])('a part %s says why it does not come', async (_, answer, code) => {
  vi.stubGlobal('fetch', answer)
  const { path } = render(<List />, { url: '/list' })
  fireEvent.click(screen.getByRole('button'))
  await act(() => vi.waitFor(() => expect(path()).toBe(`/list?status=${code}`)))
  expect(screen.getByRole('button').textContent).toBe('1')
})
