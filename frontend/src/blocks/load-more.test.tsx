import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useMore } from '../app/use-more.ts'
import { makePage, render } from '../test/render.tsx'
import { LoadMore } from './load-more.tsx'

interface Data {
  names: string[]
  next?: number
}

const first = makePage<Data>({ names: ['a', 'b'], next: 2 })

function List({ onError = () => undefined }: { onError?: (error: unknown) => void }) {
  const more = useMore<Data, string>(first, { items: (data) => data.names, next: ({ data }) => (data.next ? `/x?offset=${data.next}` : null) }, onError)
  return (
    <>
      <p>{more.items.join('')}</p>
      <LoadMore more={more} />
    </>
  )
}

test('a link to the next part fetches it into the list, and goes after the last', async () => {
  let answer: (response: Response) => void = () => undefined
  const fetch = vi.fn<(url: string) => Promise<Response>>(() => new Promise((resolve) => (answer = resolve)))
  vi.stubGlobal('fetch', fetch)
  const { user } = render(<List />)
  const link = screen.getByRole('link', { name: 'Načítať ďalšie' })
  expect(link.getAttribute('href')).toBe('/x?offset=2')
  await user.click(link)
  expect(screen.getByRole('button', { name: 'Načítava sa…' })).toHaveProperty('disabled', true)
  answer(Response.json(makePage<Data>({ names: ['c'] })))
  await waitFor(() => expect(screen.getByText('abc')).toBeTruthy())
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/page?url=%2Fx%3Foffset%3D2')
  expect(screen.queryByRole('link')).toBeNull()
})

test('a part that does not come leaves the list and the link', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
  const onError = vi.fn()
  const { user } = render(<List onError={onError} />)
  await user.click(screen.getByRole('link'))
  await waitFor(() => expect(onError).toHaveBeenCalledOnce())
  expect(screen.getByText('ab')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Načítať ďalšie' })).toBeTruthy()
})
