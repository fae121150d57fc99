import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { PageBlock, StaticData } from '../../api/content.ts'
import { editions, makeEdition } from '../../test/editions.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page } from './static.page.tsx'

const picture = { id: 'most', width: 1680, height: 840, alt: 'Most' }
const show = (over: Partial<StaticData>, url = '/historia', edition = makeEdition()) =>
  render(<Page page={makePage<StaticData>({ title: 'Päť rokov', body: '<p>Text.</p>', ...over }, { route: 'history', url })} />, { edition })
const block = (kind: PageBlock['kind'], items: PageBlock['items'], title?: string): Partial<StaticData> => ({ layout: 'history', blocks: [{ kind, title, items }] })

describe.each(Object.values(editions))('in $id', (edition) => {
  test('running text says when it was changed and leads on', () => {
    show({ modified: '2025-09-01T10:00:00Z' }, '/static/podmienky', edition)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Päť rokov')
    expect(screen.getByText(/01\.09\.2025/)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: edition.locale === 'sk' ? 'O nás' : 'Über uns' })).toBeNull()
    expect(screen.getByRole('link', { name: edition.locale === 'sk' ? 'Kontakty' : 'Kontakt' })).toHaveProperty('pathname', '/kontakty')
  })

  test('a month has the name that the edition gives it', () => {
    show(block('timeline', [{ title: 'Začiatok', date: '2021-01' }]), '/historia', edition)
    expect(screen.getByText({ 'sk-SK': 'január 2021', 'de-AT': 'Jänner 2021', 'de-CH': 'Januar 2021' }[edition.intlLocale] ?? '')).toHaveProperty('dateTime', '2021-01')
  })

  test('without open positions there is a word for those who came', () => {
    show(block('positions', undefined, 'Miesta'), '/kariera', edition)
    expect(screen.getByText(edition.locale === 'sk' ? /Práve teraz nikoho nehľadáme/ : /Zurzeit ist keine Stelle/)).toBeTruthy()
  })
})

test('the pages about the company lead to each other, and no further than the edition goes', () => {
  const edition = makeEdition()
  show({ layout: 'history' }, '/historia', makeEdition({ paths: { ...edition.paths, career: null } }))
  const nav = screen.getByRole('navigation', { name: 'O nás' })
  expect(within(nav).getAllByRole('link').map((a) => a.textContent)).toEqual(['O spoločnosti', 'História', 'Organizácia', 'Naše princípy', 'Kontakty'])
  expect(within(nav).getByRole('link', { current: 'page' }).textContent).toBe('História')
})

test('the career link has its count', () => {
  show({ layout: 'history' })
  expect(within(screen.getByRole('navigation', { name: 'O nás' })).getByRole('img', { name: '4 voľné miesta' })).toBeTruthy()
})

test('the year stands once, before the first entry of each', () => {
  show(block('timeline', [{ title: 'A', date: '2020-11' }, { title: 'B', date: '2020-12' }, { title: 'C', date: '2021-02-03', html: '<p>Bolo.</p>' }], 'Roky'))
  expect(screen.getAllByText(/^20\d\d$/).map((year) => year.textContent)).toEqual(['2020', '2021'])
  expect(screen.getByText('3. februára 2021')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 3 }).map((h) => h.textContent)).toEqual(['A', 'B', 'C'])
  expect(screen.getByText('Bolo.')).toBeTruthy()
})

test('one picture makes cards of portraits, none cards of names', () => {
  const { container } = show({
    layout: 'organisation',
    blocks: [
      { kind: 'people', title: 'Šéfredaktori', items: [{ title: 'Jana', subtitle: 'Slovensko', picture }, { title: 'Čoskoro', subtitle: 'Švajčiarsko' }] },
      { kind: 'people', title: 'Redakcia', items: [{ title: 'Peter', subtitle: 'ekonomika', url: '/author/peter', email: 'peter@north.example' }] },
    ],
  })
  expect(container.querySelectorAll('section img')).toHaveLength(1)
  expect(container.querySelectorAll('section:first-child svg')).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'peter@north.example' }).getAttribute('href')).toBe('mailto:peter@north.example')
  expect(screen.getByText('Čoskoro')).toBeTruthy()
})

test('offices, principles and positions show all that they hold', () => {
  show({
    layout: 'contacts',
    blocks: [
      { kind: 'offices', items: [{ title: 'Viedeň', subtitle: 'Redakcia', html: '<p>Setzergasse 7</p>', email: 'at@north.example' }] },
      { kind: 'principles', title: 'Ako píšeme', html: '<p>Úvod.</p>', items: [{ title: 'Fakty', html: '<p>Overujeme.</p>' }] },
      { kind: 'positions', title: 'Miesta', items: [{ title: 'Editor noci', subtitle: 'Bratislava', html: '<p>Bdie.</p>', email: 'praca@north.example' }] },
    ],
  })
  for (const words of ['Viedeň', 'Redakcia', 'Setzergasse 7', 'Úvod.', 'Overujeme.', 'Bdie.', 'Bratislava']) expect(screen.getByText(words)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Uchádzať sa o miesto: Editor noci' }).getAttribute('href')).toBe('mailto:praca@north.example?subject=Editor%20noci')
  expect(screen.getByRole('heading', { level: 2, name: 'Viedeň' })).toBeTruthy()
})

test('what a page adds stands among the buttons, and the page itself does not', () => {
  show({ layout: 'company', blocks: [{ kind: 'links', items: [{ title: 'About us in English', url: '/static/company-en' }] }] }, '/firma')
  const nav = screen.getByRole('navigation', { name: 'Kam ďalej' })
  expect(within(nav).getByRole('link', { name: 'About us in English' })).toHaveProperty('pathname', '/static/company-en')
  expect(within(nav).queryByRole('link', { name: 'O spoločnosti' })).toBeNull()
})

test('a page in another language says so', () => {
  const { container } = show({ lang: 'en', layout: 'company', picture })
  expect(container.querySelector('article')?.lang).toBe('en')
  expect(screen.getByRole('img', { name: 'Most' }).getAttribute('fetchpriority')).toBe('high')
})
