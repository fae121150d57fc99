import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { AuthorData } from '../../api/content.ts'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './author.page.tsx'

const cards = (count: number, from = 0) => Array.from({ length: count }, (_, index) => makeCard({ id: from + index + 1, url: `/${from + index + 1}/x`, title: `Článok ${from + index + 1}` }))
const makeData = (over: Partial<AuthorData> = {}): AuthorData => ({
  author: { name: 'Hana Vrbová', slug: 'hana-vrbova', url: '/author/hana-vrbova', role: 'Redaktorka', bio: 'Píše o mostoch.' },
  cards: cards(20),
  videos: [],
  offset: 0,
  next: '/author/hana-vrbova?offset=20',
  ...over,
})
const page = (over: Partial<AuthorData> = {}, url = '/author/hana-vrbova') => makePage(makeData(over), { route: 'author', url })
const answer = (count: number) => vi.stubGlobal('fetch', async () => Response.json(page({ cards: cards(count, 100), offset: 20, next: '/author/hana-vrbova?offset=40' })))

afterEach(() => vi.unstubAllGlobals())

test('says who it is, in an outline where there is no picture', () => {
  const { container } = render(<Page page={page()} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Hana Vrbová')
  expect(screen.getByText('Redaktorka')).toBeTruthy()
  expect(screen.getByText('Píše o mostoch.')).toBeTruthy()
  expect(container.querySelector('header svg')).toBeTruthy()
  expect(container.querySelector('header img')).toBeNull()
})

test('or with the portrait', () => {
  const { container } = render(<Page page={page({ author: { name: 'Hana', portrait: { id: 'hana', width: 800, height: 800, alt: 'Hana' } } })} />)
  expect(container.querySelector('header img')).toMatchObject({ alt: '', width: 160, height: 160 })
})

test('twenty articles, and a link to the next while parts are full', async () => {
  answer(20)
  const { user } = render(<Page page={page()} />)
  expect(screen.getAllByRole('article')).toHaveLength(20)
  await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(40))
  expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/author/hana-vrbova?offset=40')
})

test('after a part that is shorter there is none', async () => {
  answer(19)
  const { user } = render(<Page page={page()} />)
  await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(39))
  expect(screen.queryByRole('link', { name: 'Načítať ďalšie' })).toBeNull()
})

test('a first part that is not full has no link either', () => {
  render(<Page page={page({ cards: cards(3) })} />)
  expect(screen.queryByRole('link', { name: 'Načítať ďalšie' })).toBeNull()
})

test.each([
  ['sk', 'Pod týmto menom zatiaľ nič nevyšlo.', 'Videá'],
  ['ch', 'Unter diesem Namen ist noch nichts erschienen.', 'Videos'],
] as const)('in %s, without articles it says so; the videos are there all the same', (edition, empty, videos) => {
  render(<Page page={page({ cards: [], videos: cards(5) })} />, { edition: editions[edition] })
  expect(screen.getByText(new RegExp(empty))).toBeTruthy()
  expect(screen.getByRole('list', { name: videos }).children).toHaveLength(5)
})

test('a later part leads back to the newest and leaves the videos out', () => {
  render(<Page page={page({ offset: 20, videos: cards(2) }, '/author/hana-vrbova?offset=20')} />)
  expect(screen.getByRole('link', { name: 'Najnovšie články' }).getAttribute('href')).toBe('/author/hana-vrbova')
  expect(screen.queryByRole('heading', { name: 'Videá' })).toBeNull()
})
