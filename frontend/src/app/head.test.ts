import { afterEach, expect, test } from 'vitest'
import { applyMeta } from './head.ts'

afterEach(() => {
  document.head.innerHTML = ''
})

const content = (name: string) => document.head.querySelector(`meta[name="${name}"]`)?.getAttribute('content')

test('title, description, canonical and robots follow the page', () => {
  applyMeta(document, { title: 'Prvý', description: 'Opis', canonical: 'https://north.example/1', robots: 'noindex' })
  expect([document.title, content('description'), content('robots')]).toEqual(['Prvý', 'Opis', 'noindex'])
  applyMeta(document, { title: 'Druhý', description: 'Iný', canonical: 'https://north.example/2' })
  expect([document.title, content('description'), content('robots')]).toEqual(['Druhý', 'Iný', undefined])
  expect(document.head.querySelectorAll('link[rel="canonical"]')).toHaveLength(1)
  expect(document.head.querySelector('link')?.getAttribute('href')).toBe('https://north.example/2')
})
