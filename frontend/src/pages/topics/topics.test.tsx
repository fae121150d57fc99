import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Topic, TopicData, TopicIndexData } from '../../api/content.ts'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page as Index } from './index.page.tsx'
import { threes } from './threes.ts'
import { Page as TopicPage } from './topic.page.tsx'

const picture = (id: string) => ({ id, width: 800, height: 1000, alt: '' })
/** Editions, one a fortnight, newest first. */
const makeTopics = (count: number, from = 0): Topic[] =>
  Array.from({ length: count }, (_, index) => ({
    slug: `t${from + index}`,
    title: `Téma ${from + index}`,
    description: 'O čom to je.',
    url: `/tema/t${from + index}`,
    date: new Date(Date.UTC(2026, 2, 2) - (from + index) * 14 * 86_400_000).toISOString(),
    covers: [picture('a'), picture('b'), picture('c')],
  }))
const makeCards = (count: number) => Array.from({ length: count }, (_, index) => makeCard({ id: index + 1, url: `/${index + 1}/x`, title: `Článok ${index + 1}` }))

afterEach(() => vi.unstubAllGlobals())

test.each([
  [0, []],
  [1, [1]],
  [2, [2]],
  [3, [3]],
  [4, [4]],
  [5, [3, 2]],
  [7, [3, 4]],
  [8, [3, 3, 2]],
  [10, [3, 3, 4]],
])('%i articles make groups of %j', (count, sizes) => {
  const items = Array.from({ length: count }, (_, index) => index)
  expect(threes(items).map((group) => group.length)).toEqual(sizes)
  expect(threes(items).flat()).toEqual(items)
})

describe('the index', () => {
  const index = (over: Partial<TopicIndexData> = {}) => {
    const topics = makeTopics(20)
    return makePage<TopicIndexData>({ ...(topics[0] ? { current: topics[0] } : {}), topics, offset: 0, next: '/tema?offset=20', ...over }, { route: 'topicIndex', url: '/tema' })
  }
  const answer = (count: number) =>
    vi.stubGlobal('fetch', async () => Response.json(makePage<TopicIndexData>({ topics: makeTopics(count, 20), offset: 20, next: '/tema?offset=40' }, { route: 'topicIndex', url: '/tema?offset=20' })))

  test('has the current one with its three covers, and all of them by year', () => {
    const { container } = render(<Index page={index()} />)
    expect(screen.getByRole('heading', { level: 2, name: 'Téma 0' })).toBeTruthy()
    expect(container.querySelectorAll('[class*=covers] img')).toHaveLength(3)
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual(['Téma 0', '2026', '2025'])
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(20)
  })

  test('the button goes with a part that is shorter than it might be, and a year goes on where it was', async () => {
    answer(19)
    const { user } = render(<Index page={index()} />)
    expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/tema?offset=20')
    await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
    await waitFor(() => expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(39))
    expect(screen.queryByRole('link', { name: 'Načítať ďalšie' })).toBeNull()
    expect(screen.getAllByRole('heading', { name: '2025' })).toHaveLength(1)
    expect(screen.getByText('Pribudlo 19 vydaní.')).toBeTruthy()
  })

  test('the button stays with a full one', async () => {
    answer(20)
    const { user } = render(<Index page={index()} />)
    await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
    await waitFor(() => expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/tema?offset=40'))
  })

  test('a later part opened by its address has a way to the newest', () => {
    render(<Index page={makePage<TopicIndexData>({ topics: makeTopics(3, 20), offset: 20 }, { url: '/tema?offset=20' })} />)
    expect(screen.getByRole('link', { name: 'Najnovšie vydania' }).getAttribute('href')).toBe('/tema')
  })

  test('without any it says so', () => {
    render(<Index page={makePage<TopicIndexData>({ topics: [], offset: 0 }, { url: '/tema' })} />)
    expect(screen.getByText(/Zatiaľ nevyšlo/)).toBeTruthy()
  })
})

describe.each([
  ['sk', '/tema', 'Staršie vydanie'],
  ['at', '/topic', 'Ältere Ausgabe'],
] as const)('a topic in %s', (edition, home, older) => {
  const topic = (over: Partial<TopicData> = {}) => {
    const [newer, own, before] = makeTopics(3)
    return makePage<TopicData>({ topic: own!, cards: makeCards(13), videos: [], newer: newer!, older: before!, ...over }, { route: 'topic', url: '/tema/t1' })
  }
  const show = (over: Partial<TopicData> = {}) => render(<TopicPage page={topic(over)} />, { edition: editions[edition] })

  test('says what it is about, shows all articles, and leads to its neighbours', () => {
    const { container } = show()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Téma 1')
    expect(screen.getByText('O čom to je.')).toBeTruthy()
    expect(container.querySelector(`a[href="${home}"]`)).toBeTruthy()
    expect(screen.getAllByRole('heading', { name: /Článok/ })).toHaveLength(13)
    expect(screen.getByText(new RegExp(older))).toBeTruthy()
  })

  test('three stand at the top, the others by threes, the last four together', () => {
    const { container } = show()
    expect(screen.getAllByRole('heading', { level: 2, name: /Článok/ })).toHaveLength(3)
    expect([...container.querySelectorAll('[class*=rows] > [class*=row]')].map((row) => row.children.length)).toEqual([3, 3, 4])
  })

  test('has its videos in a row', () => {
    show({ videos: makeCards(5) })
    expect(screen.getByRole('list', { name: edition === 'sk' ? 'Videá' : 'Videos' }).children).toHaveLength(5)
  })

  test('has few videos as large as the row lets them be', () => {
    show({ videos: makeCards(2) })
    const row = screen.getByRole('region', { name: edition === 'sk' ? 'Videá' : 'Videos' }).querySelector('.row')
    expect(row?.className).toContain('two')
    expect(row?.children).toHaveLength(2)
  })

  test.each([0, 1, 2, 3])('with %i articles nothing is missing or empty', (count) => {
    show({ cards: makeCards(count) })
    expect(screen.queryAllByRole('heading', { name: /Článok/ })).toHaveLength(count)
    expect(screen.queryByRole('heading', { name: edition === 'sk' ? 'Ďalšie články' : 'Weitere Artikel' })).toBeNull()
  })
})
