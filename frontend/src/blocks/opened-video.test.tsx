import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeCard } from '../test/cards.ts'
import { render } from '../test/render.tsx'
import { OpenedVideo } from './opened-video.tsx'
import { VideoRow } from './video-row.tsx'

const film = (id: number) => makeCard({ id, url: `/${id}/film`, title: `Film ${id}`, type: 'video', date: '2026-03-02T23:30:00Z', video: { kind: 'youtube', src: 'abcdefghijk' } })

test('a video that the address names opens on a page without a row that has it, and closing it leaves the page', async () => {
  const { user, path } = render(<OpenedVideo card={film(9)} />, { url: '/minuta?video-komentar=9&data=2026-03-03' })
  await screen.findByRole('dialog')
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Film 9')
  expect(document.querySelector('iframe')).toBeNull() // nothing of another site before a click
  await user.click(screen.getByRole('button', { name: 'Zavrieť' }))
  await waitFor(() => expect(path()).toBe('/minuta'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a row that has it plays it among its neighbours, once', async () => {
  render(
    <>
      <OpenedVideo card={film(2)} />
      <VideoRow cards={[film(1), film(2)]} label="Videá" />
    </>,
    { url: '/?video-komentar=2' },
  )
  await screen.findByText('2 z 2')
  expect(document.querySelectorAll('dialog')).toHaveLength(1)
})

test('a page whose address names another video has nothing over it', async () => {
  render(<OpenedVideo card={film(2)} />, { url: '/?video-komentar=3' })
  await Promise.resolve()
  expect(screen.queryByRole('dialog')).toBeNull()
})
