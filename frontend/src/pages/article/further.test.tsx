import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '../../test/render.tsx'
import { Further } from './further.tsx'

const ways = () => [...screen.getByRole('navigation', { name: 'Prečítajte si aj' }).querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.textContent])
const newsletters = ['/newsletters', 'Vybrať newsletter']

test('after the article come its author and the newsletters', () => {
  render(<Further authors={[{ name: 'Hana Vrbová', url: '/author/hana' }, { name: 'Ján Kos' }]} topic={undefined} />)
  expect(ways()).toEqual([newsletters, ['/author/hana', 'Viac od: Hana Vrbová']])
})

test('an essay of the week leads to its topic, too', () => {
  const topic = { slug: 'jazyk', title: 'Kto nás učí hovoriť', url: '/tema/jazyk', date: '2026-11-01T08:00:00Z', covers: [] }
  render(<Further authors={undefined} topic={topic} />)
  expect(ways()).toEqual([newsletters, ['/tema/jazyk', 'Kto nás učí hovoriť']])
})
