import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { linkTarget } from '../app/links.ts'
import { editions } from '../test/editions.ts'
import { render } from '../test/render.tsx'
import { ToTop } from './to-top.tsx'

test.each([
  ['sk', 'Späť nahor'],
  ['at', 'Zurück nach oben'],
  ['ch', 'Zurück nach oben'],
] as const)('in %s the way back to the beginning is called %s, and is the browser’s', (edition, name) => {
  render(<ToTop />, { edition: editions[edition] })
  const link = screen.getByRole('link', { name })
  expect(link.getAttribute('href')).toBe('#top')
  let target: URL | null | undefined
  link.addEventListener('click', (event) => (target = linkTarget(event, () => true)))
  link.click()
  expect(target).toBeNull()
})
