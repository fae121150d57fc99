import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { makeCard } from '../test/cards.ts'
import { editions } from '../test/editions.ts'
import { render } from '../test/render.tsx'
import { Card } from './card.tsx'

test('a card links its headline and its section, and is silent about its picture', () => {
  const { container } = render(<Card card={makeCard()} picture="c4" />)
  expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Most cez rieku otvoria na jar')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/category/politika', '/17/most-cez-rieku'])
  expect(container.querySelector('img')).toMatchObject({ alt: '', loading: 'lazy', width: 480, height: 320 })
})

test.each([
  ['2026-03-02', 'dnes\u00a014:05'],
  ['2026-03-03', 'včera\u00a014:05'],
  ['2026-03-09', '2.\u00a03.'],
  ['2027-03-02', '2.\u00a03.\u00a02026'],
])('on %s its date reads %s', (today, text) => {
  const { container } = render(<Card card={makeCard()} today={today} />)
  expect(container.querySelector('time')?.textContent).toBe(text)
})

describe.each([
  ['sk', 'Predplatné', '2 komentáre'],
  ['at', 'Abo', '2 Kommentare'],
] as const)('in %s', (edition, locked, comments) => {
  test('locked is said in words', () => {
    const { container } = render(<Card card={makeCard({ locked: true, comments: 2 })} />, { edition: editions[edition] })
    expect(screen.getByText(locked)).toBeTruthy()
    expect(container.textContent).toContain(comments)
  })
})

test('an open card without comments says neither', () => {
  const { container } = render(<Card card={makeCard({ comments: 0 })} />)
  expect(container.textContent).not.toMatch(/Predplatné|komentár/)
})
