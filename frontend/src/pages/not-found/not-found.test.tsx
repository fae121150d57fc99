import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeCard } from '../../test/cards.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './not-found.page.tsx'

const cards = (count: number) => Array.from({ length: count }, (_, index) => makeCard({ id: index, url: `/${index}/x` }))

test('leads home and shows the first six of what is read most', () => {
  render(<Page page={makePage({ mostRead: cards(8) }, { status: 404 })} />)
  expect(screen.getByRole('link', { name: 'Prejsť na titulnú stranu' }).getAttribute('href')).toBe('/')
  expect(screen.getByRole('heading', { level: 2, name: 'Čo sa práve najviac číta' })).toBeTruthy()
  expect(screen.getAllByRole('article')).toHaveLength(6)
  expect([...document.querySelectorAll('.rows > .row')].map(({ children }) => children.length)).toEqual([3, 3])
})

test.each([{ mostRead: [] }, null])('with %j it still leads home', (data) => {
  render(<Page page={makePage(data, { status: 404 })} />)
  expect(screen.getByRole('link', { name: 'Prejsť na titulnú stranu' })).toBeTruthy()
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
})
