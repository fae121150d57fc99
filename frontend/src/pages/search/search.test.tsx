import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SearchData } from '../../api/content.ts'
import { Header } from '../../blocks/header/header.tsx'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './search.page.tsx'

const cards = (count: number, from = 0) => Array.from({ length: count }, (_, index) => makeCard({ id: from + index + 1, url: `/${from + index + 1}/x`, title: `Článok ${from + index + 1}` }))
const makeData = (over: Partial<SearchData> = {}): SearchData => ({ term: 'most', cards: cards(10), authors: [], offset: 0, nextOffset: 10, total: 1284, mostSearched: ['rozpočet', 'čo ďalej/?'], mostReadAuthors: [{ name: 'Hana Vrbová', slug: 'hana', url: '/author/hana' }], ...over })
const page = (over: Partial<SearchData> = {}, url = '/search/most') => makePage(makeData(over), { route: 'searchTerm', url })

// Each test begins after any lock of the one before.
let now = Date.now()
beforeEach(() => {
  now += 60_000
  vi.spyOn(Date, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Čo hľadáte?' })
const submit = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Hľadať' }).find(({ type }) => type === 'submit')!

describe('the form', () => {
  test('holds the term, and is a plain one without scripts', () => {
    render(<Page page={page()} />)
    expect(field().value).toBe('most')
    const form = field().form!
    expect([form.getAttribute('action'), form.method, field().name, field().required]).toEqual(['/search', 'get', 'q', true])
  })

  test('leads to the address of the term', async () => {
    const { user, path } = render(<Page page={page()} />)
    await user.clear(field())
    await user.type(field(), '  Čo ďalej? {Enter}')
    expect(path()).toBe('/search/%C4%8Do%20%C4%8Falej')
  })

  test.each(['   ', '??', ' ? '])('sends no blank term: %j', async (text) => {
    const { user, path } = render(<Page page={page()} />, { url: '/search/most' })
    await user.clear(field())
    await user.type(field(), text)
    await user.click(submit())
    expect(path()).toBe('/search/most')
  })

  test('takes no other for two seconds, wherever it is typed', async () => {
    const { path } = render(
      <>
        <Header pathname="/" session={{ status: 'guest' }} tier="anonymous" />
        <Page page={page()} />
      </>,
    )
    fireEvent.click(screen.getAllByRole('button', { name: 'Hľadať' })[0]!)
    const header = () => document.querySelector<HTMLInputElement>('#header-search input')!
    await waitFor(() => expect(header()).toBeTruthy())
    const onPage = () => [...document.querySelectorAll('input')].find((input) => !input.closest('#header-search'))!
    const search = (text: string, at: HTMLInputElement) => {
      fireEvent.change(at, { target: { value: text } })
      fireEvent.submit(at.form!)
    }
    search('prvé', onPage())
    expect(path()).toBe('/search/prv%C3%A9')
    now += 1999
    search('druhé', onPage())
    search('tretie', header())
    expect(path()).toBe('/search/prv%C3%A9')
    now += 1
    search('štvrté', header())
    expect(path()).toBe('/search/%C5%A1tvrt%C3%A9')
    now += 1999
    search('piate', onPage())
    expect(path()).toBe('/search/%C5%A1tvrt%C3%A9')
  })
})

describe('what was found', () => {
  test('is counted, and shows where the term stands', () => {
    const [first] = cards(1)
    const { container } = render(<Page page={page({ cards: [{ ...first!, titleMarked: '<mark>Most</mark> &amp; rieka', snippet: '… cez <mark>most</mark> …' }], total: 1284 })} />)
    expect(screen.getByRole('heading', { level: 2, name: /^1\s284 článkov$/ })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Most & rieka')
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Most', 'most'])
    expect(container.textContent).not.toContain('Práce sa predĺžili')
  })

  test('comes by 10', async () => {
    vi.stubGlobal('fetch', async () => Response.json(page({ cards: cards(9, 100), offset: 10, nextOffset: 20 })))
    const { user } = render(<Page page={page()} />)
    expect(screen.getAllByRole('article')).toHaveLength(10)
    expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/search/most?offset=10')
    await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(19))
    expect(screen.queryByRole('link', { name: 'Načítať ďalšie' })).toBeNull()
  })

  test('shows once what a later part brings again', async () => {
    vi.stubGlobal('fetch', async () => Response.json(page({ cards: [...cards(2, 8), ...cards(3, 100)], offset: 10 })))
    const { user } = render(<Page page={page()} />)
    await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(13))
    const titles = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(new Set(titles).size).toBe(titles.length)
    expect(screen.getByText('Pribudli 3 články.')).toBeTruthy()
  })

  test('may be authors', () => {
    render(<Page page={page({ cards: [], total: 0, authors: [{ name: 'Peter Most', slug: 'peter', url: '/author/peter', role: 'Reportér' }, { name: 'Eva Mostová' }] })} />)
    expect(screen.getByRole('link', { name: 'Peter Most' }).getAttribute('href')).toBe('/author/peter')
    expect(screen.queryByRole('link', { name: 'Eva Mostová' })).toBeNull()
    expect(screen.queryByText(/nenašli/)).toBeNull()
  })

  test.each([
    ['sk', 'Zadanému hľadaniu nezodpovedá žiadny článok.'],
    ['at', 'Zu Ihrer Suche wurden keine Artikel gefunden.'],
  ] as const)('in %s, nothing is said in words, with what may have been meant', (edition, text) => {
    const { container } = render(<Page page={page({ cards: [], total: 0, suggestion: 'mosty' })} />, { edition: editions[edition] })
    expect(screen.getByText(text)).toBeTruthy()
    expect(container.querySelector('a[href="/search/mosty"]')?.textContent).toBe('mosty')
  })
})

test('others’ searches and the authors they read are links', () => {
  render(<Page page={page()} />)
  expect(screen.getByRole('link', { name: 'čo ďalej/?' }).getAttribute('href')).toBe('/search/%C4%8Do%20%C4%8Falej%2F%3F')
  expect(screen.getByRole('link', { name: 'Hana Vrbová' }).getAttribute('href')).toBe('/author/hana')
})

test('without a term nothing was looked for, so nothing is missing', () => {
  render(<Page page={makePage(makeData({ term: '', cards: [], total: 0 }), { route: 'search', url: '/search' })} />)
  expect(field().value).toBe('')
  expect(screen.queryByText(/nenašli/)).toBeNull()
  expect(screen.getByRole('heading', { name: 'Najhľadanejšie' })).toBeTruthy()
})

test.each([
  ['before a search', { term: '' }],
  ['where nothing was found', { term: 'xqzvwk' }],
])('%s it offers what many read', (_, over) => {
  render(<Page page={page({ cards: [], total: 0, mostRead: cards(6, 900), ...over })} />)
  expect(screen.getByRole('region', { name: 'Čo sa práve najviac číta' }).querySelectorAll('article')).toHaveLength(6)
})
