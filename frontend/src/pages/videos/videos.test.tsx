import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Card, VideosData } from '../../api/content.ts'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './videos.page.tsx'

const videos = (count: number, from = 1): Card[] =>
  Array.from({ length: count }, (_, index) => makeCard({ id: from + index, url: `/${from + index}/video`, title: `Video ${from + index}`, type: 'video', videoSeconds: 187, video: { kind: 'file', src: `/video/${from + index}.mp4` } }))
const page = (over: Partial<VideosData> = {}) => makePage<VideosData>({ cards: videos(21), offset: 0, next: '/videa?offset=21', ...over }, { route: 'videos', url: '/videa' })

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json(makePage<VideosData>({ cards: videos(12, 22), offset: 21 }, { route: 'videos' })))
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['sk', 'Videá'],
  ['at', 'Videos'],
] as const)('in %s all videos are there, the newest large, each a link to its article', (edition, name) => {
  const { container } = render(<Page page={page()} />, { edition: editions[edition] })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(name)
  expect(screen.getAllByRole('article')).toHaveLength(21)
  expect(screen.getByRole('link', { name: 'Video 1' }).getAttribute('href')).toBe('/1/video')
  expect(container.querySelectorAll('img[loading=eager]')).toHaveLength(1)
  expect(screen.getAllByText('3:07')).toHaveLength(21)
})

test('a click plays a video over the page', async () => {
  const { path } = render(<Page page={page()} />, { url: '/videa' })
  fireEvent.click(screen.getByRole('link', { name: 'Video 3' }))
  await waitFor(() => expect(path()).toContain('/videa?video-komentar=3'))
})

test('the list grows, and says by how much', async () => {
  const { user } = render(<Page page={page()} />)
  await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(33))
  expect(screen.getByText('Pribudlo 12 videí.')).toBeTruthy()
})

test('a later part has no large one, and leads to the newest', () => {
  render(<Page page={page({ offset: 21, cards: videos(12, 22) })} />)
  expect(document.querySelectorAll('[class*=beside]')).toHaveLength(0)
  expect(screen.getAllByRole('article')).toHaveLength(12)
  expect(screen.getByRole('link', { name: 'Najnovšie videá' }).getAttribute('href')).toBe('/videa')
})

test('without videos it says so', () => {
  render(<Page page={makePage<VideosData>({ cards: [], offset: 0 }, { route: 'videos', url: '/videa' })} />)
  expect(screen.getByText(/Zatiaľ tu nie sú žiadne videá/)).toBeTruthy()
  expect(screen.queryAllByRole('article')).toHaveLength(0)
})
