import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FrontData } from '../../api/content.ts'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Featured } from './featured.tsx'
import { Page } from './front.page.tsx'

const cards = (count: number, from = 100) => Array.from({ length: count }, (_, index) => makeCard({ id: from + index, url: `/${from + index}/clanok`, title: `Článok ${from + index}` }))

const nothing: FrontData = { minutes: [], lead: [], second: [], featured: [], picks: [], mostRead: [], special: [], opinion: { title: '', versus: [], more: [] }, videos: [], sections: [] }

const full: FrontData = {
  minutes: Array.from({ length: 40 }, (_, index) => ({ id: index, title: `Správa ${index}`, text: 'Viac o nej.', date: '2026-03-02T13:05:00Z' })),
  lead: cards(5),
  second: cards(3, 900),
  featured: cards(5, 200),
  picks: cards(4, 300),
  mostRead: cards(5, 400),
  special: cards(5, 500),
  opinion: { title: 'Áno, či nie?', versus: cards(2, 600), more: cards(4, 700) },
  videos: cards(20, 800).map((card) => ({ ...card, type: 'video', videoSeconds: 187 })),
  sections: ['politics', 'economics', 'technology', 'society'].map((key, index) => ({ section: { key, name: key, url: `/category/${key}` }, cards: cards(7, 1000 + index * 10) })),
}

describe('the front page', () => {
  test('begins with one heading, skips no rank and stays small', () => {
    const { container } = render(<Page page={makePage(full)} />)
    const ranks = [...container.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => Number(tagName[1]))
    expect(ranks[0]).toBe(1)
    expect(ranks.filter((rank) => rank === 1)).toHaveLength(1)
    expect(ranks.every((rank, index) => index === 0 || rank <= (ranks[index - 1] ?? 0) + 1)).toBe(true)
    expect(container.querySelectorAll('*').length).toBeLessThanOrEqual(2400)
    expect(container.querySelectorAll('img[loading=eager]')).toHaveLength(1)
  })

  test('has all its blocks, each with as many as it may show', () => {
    render(<Page page={makePage({ ...full, topic: { topic: { slug: 'voda', title: 'Komu patrí voda', url: '/tema/voda', date: '2026-03-02T05:00:00Z', covers: [] }, cards: cards(5, 2000) } })} />)
    const region = (name: string) => screen.getByRole('region', { name })
    const articles = (name: string) => within(region(name)).getAllByRole('article').length
    expect(screen.getByRole('list', { name: 'Najnovšie krátke správy' }).children).toHaveLength(40)
    expect(screen.getAllByRole('button', { name: /z 5$/ })).toHaveLength(5)
    expect(within(region('Najčítanejšie')).getAllByRole('listitem')).toHaveLength(5)
    expect(within(screen.getByRole('group', { name: 'Áno, či nie?' })).getAllByRole('article')).toHaveLength(2)
    expect(screen.getByRole('list', { name: 'Videá' }).children).toHaveLength(20)
    expect(articles('Téma týždňa')).toBe(5)
    expect(['politics', 'economics', 'technology', 'society'].map(articles)).toEqual([7, 7, 7, 7])
    expect(articles('Čo vám mohlo ujsť')).toBe(5)
    expect(within(region('Minúta po minúte')).getAllByRole('listitem')).toHaveLength(5)
  })

  test('without anything is its name alone', () => {
    const { container } = render(<Page page={makePage(nothing)} />)
    expect(container.querySelectorAll('section, article, ul, ol')).toHaveLength(0)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Severník')
  })

  test('numbers what is read most from 1 to 5', () => {
    render(<Page page={makePage({ ...nothing, mostRead: cards(5) })} />)
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([1, 2, 3, 4, 5].map((place) => `${place}Článok ${99 + place}`))
  })

  test.each([
    ['sk', '„Dosť!“'],
    ['at', '„Dosť!“'],
    ['ch', '«Dosť!»'],
  ] as const)('in %s opinion stands in quotation marks: %s', (edition, quote) => {
    const versus = [makeCard({ id: 1, title: 'Dosť!' }), makeCard({ id: 2, title: '„Už citát“' })]
    render(<Page page={makePage({ ...nothing, opinion: { title: '', versus, more: [] } })} />, { edition: editions[edition] })
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([quote, '„Už citát“'])
  })
})

test('the weekly topic is its cover, its question and five articles; an edition without one shows none', () => {
  const topic = { slug: 'voda', title: 'Komu patrí voda', description: 'Päť pohľadov.', url: '/tema/voda', date: '2026-03-02T05:00:00Z', covers: [{ id: 'obalka', width: 800, height: 1000, alt: 'Rieka' }] }
  render(<Page page={makePage({ ...nothing, topic: { topic, cards: cards(5) } })} />)
  const block = screen.getByRole('region', { name: 'Téma týždňa' })
  expect(within(block).getByRole('link', { name: 'Komu patrí voda' }).getAttribute('href')).toBe('/tema/voda')
  expect(within(block).getAllByRole('article')).toHaveLength(5)
  expect(block.querySelectorAll('img')).toHaveLength(2)
})

describe('the carousel', () => {
  let still = false
  beforeEach(() => {
    vi.useFakeTimers()
    still = false
    vi.stubGlobal('matchMedia', () => ({ matches: still, addEventListener: () => undefined, removeEventListener: () => undefined }))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const show = () => render(<Featured cards={cards(3)} />)
  const shown = () => [...document.querySelectorAll('[data-shown]')].map((slide) => slide.getAttribute('aria-label')).join()
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
  const dot = (number: number) => screen.getByRole('button', { name: `${number}. z 3` })

  test('goes on every 15 seconds and comes round', () => {
    show()
    expect(shown()).toBe('1. z 3')
    pass(14_999)
    expect(shown()).toBe('1. z 3')
    pass(1)
    expect(shown()).toBe('2. z 3')
    pass(15_000)
    pass(15_000)
    expect(shown()).toBe('1. z 3')
  })

  test('shows what a dot says, starts the clock anew, and takes no second click for half a second', () => {
    show()
    pass(10_000)
    fireEvent.click(dot(3))
    expect(shown()).toBe('3. z 3')
    expect(dot(3).getAttribute('aria-current')).toBe('true')
    pass(499)
    fireEvent.click(dot(2))
    expect(shown()).toBe('3. z 3')
    pass(1)
    fireEvent.click(dot(2))
    expect(shown()).toBe('2. z 3')
    pass(14_999)
    expect(shown()).toBe('2. z 3')
    pass(1)
    expect(shown()).toBe('3. z 3')
  })

  test('only the slide that is shown can be reached', () => {
    show()
    expect([...document.querySelectorAll('[role=group][aria-label$="z 3"]')].map((slide) => slide.hasAttribute('inert'))).toEqual([false, true, true])
  })

  test.each<[string, () => void, () => void]>([
    ['the pause button', () => fireEvent.click(screen.getByRole('button', { name: 'Zastaviť striedanie' })), () => fireEvent.click(screen.getByRole('button', { name: 'Spustiť striedanie' }))],
    ['pointing at it', () => fireEvent.mouseEnter(dot(1).closest('[class*=carousel]')!), () => fireEvent.mouseLeave(dot(1).closest('[class*=carousel]')!)],
    ['focus in it', () => fireEvent.focus(dot(1)), () => fireEvent.blur(dot(1))],
    ['a hidden tab', () => hide('hidden'), () => hide('visible')],
  ])('%s stops it, and undoing that lets it go on', (_, stop, resume) => {
    show()
    act(stop)
    pass(60_000)
    expect(shown()).toBe('1. z 3')
    act(resume)
    pass(15_000)
    expect(shown()).toBe('2. z 3')
  })

  test('who wants less motion gets none', () => {
    still = true
    show()
    pass(60_000)
    expect(shown()).toBe('1. z 3')
  })

  function hide(state: DocumentVisibilityState) {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange'))
  }
})
