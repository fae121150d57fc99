import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CategoryData } from '../../api/content.ts'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, makeReader, render } from '../../test/render.tsx'
import { Page } from './category.page.tsx'

const cards = (count: number, from = 0) => Array.from({ length: count }, (_, index) => makeCard({ id: from + index + 1, url: `/${from + index + 1}/x`, title: `Článok ${from + index + 1}` }))
const makeData = (over: Partial<CategoryData> = {}): CategoryData => ({
  section: { key: 'politics', name: 'Politika', url: '/category/politika' },
  children: [{ key: 'politics.europe', name: 'Európa', url: '/category/europa' }],
  cards: cards(19),
  videos: cards(5, 900).map((card) => ({ ...card, type: 'video' as const, videoSeconds: 61 })),
  offset: 0,
  nextOffset: 19,
  next: '/category/politika?offset=19&after=x',
  ...over,
})
const page = (over: Partial<CategoryData> = {}, tier: 'anonymous' | 'member' = 'anonymous', query = '') =>
  makePage(makeData(over), { route: 'category', url: `/category/politika${query}`, tier })

test('shows all of its articles and a link to the next', () => {
  render(<Page page={page()} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Politika')
  expect(screen.getAllByRole('article')).toHaveLength(19)
  expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/category/politika?offset=19&after=x')
})

test('a lead, then a row of three and one of four; the others in rows of four and three', () => {
  const { container } = render(<Page page={page()} />)
  const [lead, ...others] = [...container.querySelectorAll('article')]
  expect(lead?.closest('.row')).toBeNull()
  expect(others.every((one) => one.closest('.row') !== null)).toBe(true)
  expect([...container.querySelectorAll('.rows')].map((rows) => [...rows.children].map((row) => row.children.length))).toEqual([[3, 4], [4, 3, 4]])
})

test('the link fetches the next part into the page, says how many came, and leads the keyboard there', async () => {
  const more = makePage(makeData({ cards: cards(8, 100), offset: 19, videos: [] }), { url: '/category/politika?offset=19' })
  delete more.data.next
  vi.stubGlobal('fetch', async () => Response.json(more))
  const { user } = render(<Page page={page()} />)
  screen.getByRole('link', { name: 'Načítať ďalšie' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(27))
  expect(screen.getByText('Pribudlo 8 článkov.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Načítať ďalšie' })).toBeNull()
  expect(document.activeElement?.textContent).toBe('Článok 101')
})

test('while a part is on its way, its shapes stand in its place, and the button says so', async () => {
  let answer: (response: Response) => void = () => undefined
  vi.stubGlobal('fetch', () => new Promise((resolve) => (answer = resolve)))
  const { user, container } = render(<Page page={page()} />)
  const shapes = () => container.querySelectorAll('[data-placeholders] > *')
  expect(shapes()).toHaveLength(0)
  await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
  expect(shapes()).toHaveLength(4)
  expect(shapes()[0]?.parentElement?.getAttribute('aria-hidden')).toBe('true')
  expect(screen.getByRole('button', { name: 'Načítava sa…' })).toHaveProperty('disabled', true)
  answer(Response.json(makePage(makeData({ cards: cards(8, 100), offset: 19, videos: [] }), { url: '/category/politika?offset=19' })))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(27))
  expect(shapes()).toHaveLength(0)
})

test('a part that does not come is told in the address, and the link stays', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
  const { user, path } = render(<Page page={page()} />)
  await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
  await waitFor(() => expect(path()).toBe('/category/politika?status=ERROR'))
  expect(screen.getByRole('link', { name: 'Načítať ďalšie' })).toBeTruthy()
})

test.each([
  ['sk', 'Každý mesiac si môžete zadarmo otvoriť 3 články pre predplatiteľov.'],
  ['at', 'Jeden Monat sind 3 Abo-Artikel für Sie frei.'],
  ['ch', 'Jede Woche sind 3 Abo-Artikel für Sie frei.'],
] as const)('in %s a visitor sees a way to log in instead of videos', (edition, text) => {
  const { container } = render(<Page page={page()} />, { edition: editions[edition] })
  expect(container.textContent).toContain(text)
  expect(container.querySelector('a[href="/account/login?referrer=%2Fcategory%2Fpolitika"]')).toBeTruthy()
  expect(container.textContent).not.toContain('1:01')
})

test('a reader sees videos and is not asked to log in', () => {
  const { container } = render(<Page page={page({}, 'member')} />, { session: makeReader() })
  expect(screen.getByRole('list', { name: 'Videokomentáre' }).children).toHaveLength(5)
  expect(container.querySelector('a[href^="/account/login"]')).toBeNull()
})

test('the arrows of the videos move by one of them', async () => {
  const { user } = render(<Page page={page({}, 'member')} />)
  const list = screen.getByRole('list', { name: 'Videokomentáre' })
  const scrollBy = vi.fn()
  list.scrollBy = scrollBy
  const next = list.parentElement?.querySelectorAll('button')[1]
  next?.removeAttribute('hidden')
  await user.click(next!)
  expect(scrollBy).toHaveBeenCalledWith({ left: 245, behavior: 'smooth' })
})

test('an empty category says so and leads on', () => {
  const data = makeData({ cards: [], videos: [] })
  delete data.next
  render(<Page page={makePage(data, { url: '/category/politika', tier: 'member' })} />)
  expect(screen.getByText(/zatiaľ nie sú žiadne články/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Prejsť na titulnú stranu' }).getAttribute('href')).toBe('/')
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
})

test('a later part that is opened by its address has all its articles and a way back', () => {
  render(<Page page={page({ cards: cards(8), offset: 19, next: '/category/politika?offset=27&after=y' }, 'member', '?offset=19')} />)
  expect(screen.getAllByRole('article')).toHaveLength(8)
  expect(screen.getByRole('link', { name: 'Najnovšie články' }).getAttribute('href')).toBe('/category/politika')
  expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/category/politika?offset=27&after=y')
})
