import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { editions, makeEdition } from '../../test/editions.ts'
import { makeReader, render } from '../../test/render.tsx'
import { Header } from './header.tsx'
import { offerOf } from './offer.ts'
import { searchTerm } from '../../app/use-search.ts'

const guest = { status: 'guest' } as const
const header = (pathname = '/') => <Header pathname={pathname} session={guest} tier="anonymous" />

describe.each(Object.values(editions))('the header of $id', (edition) => {
  test('has the masthead, the sections and the offer', () => {
    render(header('/category/politika'), { edition })
    expect(screen.getByRole('link', { name: new RegExp(edition.name) })).toHaveProperty('pathname', '/')
    const bar = screen.getByRole('navigation')
    expect(within(bar).getByRole('link', { current: 'page' }).textContent).toBe('Politika')
    expect(screen.getByRole('link', { name: edition.locale === 'sk' ? 'Predplatné' : 'Abo' })).toHaveProperty('pathname', '/account')
  })
})

test('one panel at a time, closed by Escape with the focus back on its button', async () => {
  const { user } = render(header())
  const menu = screen.getByRole('button', { name: 'Menu' })
  await user.click(menu)
  expect(menu.getAttribute('aria-expanded')).toBe('true')
  expect((await screen.findByRole('navigation', { name: 'Menu' })).textContent).toContain('Európa')
  await user.click(screen.getByRole('button', { name: 'Účet' }))
  expect(menu.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('navigation', { name: 'Účet' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Účet' }))
})

test('leaving the header closes what is open, by pointer and by focus', async () => {
  const { user } = render(
    <>
      {header()}
      <button type="button">outside</button>
    </>,
  )
  const menu = screen.getByRole('button', { name: 'Menu' })
  await user.click(menu)
  fireEvent.mouseLeave(screen.getByRole('banner'))
  expect(menu.getAttribute('aria-expanded')).toBe('false')
  await user.click(menu)
  fireEvent.blur(menu, { relatedTarget: screen.getByRole('button', { name: 'outside' }) })
  expect(menu.getAttribute('aria-expanded')).toBe('false')
})

test('the pointer that leaves does not take away what somebody has typed', async () => {
  const { user } = render(header())
  const search = screen.getByRole('button', { name: 'Hľadať' })
  await user.click(search)
  const field = await screen.findByRole<HTMLInputElement>('searchbox')
  field.focus()
  field.value = 'rozpočet'
  fireEvent.mouseLeave(screen.getByRole('banner'))
  expect(search.getAttribute('aria-expanded')).toBe('true')
  field.value = ''
  fireEvent.mouseLeave(screen.getByRole('banner'))
  expect(search.getAttribute('aria-expanded')).toBe('false')
})

test('the career link has a count, unless it is nought', () => {
  render(header())
  expect(screen.getByRole('img', { name: '4 voľné miesta' }).textContent).toBe('4')
  document.body.innerHTML = ''
  render(header(), { edition: makeEdition({ careerCount: 0 }) })
  expect(screen.queryByRole('img')).toBeNull()
})

test('the menu leads to the career page, with its count', async () => {
  const edition = makeEdition()
  const { user } = render(header(), { edition: { ...edition, menus: { ...edition.menus, footer: [{ title: 'O nás', items: [{ name: 'Kariéra', url: '/kariera' }] }] } } })
  await user.click(screen.getByRole('button', { name: 'Menu' }))
  const menu = await screen.findByRole('navigation', { name: 'Menu' })
  expect(within(menu).getByRole('link', { name: 'Kariéra' }).getAttribute('href')).toBe('/kariera')
  expect(within(menu).getByRole('img', { name: '4 voľné miesta' })).toBeTruthy()
})

test('the menu has what is no section, and the sister editions', async () => {
  const edition = makeEdition()
  const editions = [
    { name: 'Severník', url: 'https://north.example/' },
    { name: 'Südpost', url: 'https://south.example/' },
  ]
  const menus = { ...edition.menus, editions, main: [...edition.menus.main, { name: 'Minúta', url: '/minuta' }] }
  const { user } = render(header(), { edition: { ...edition, menus } })
  const bar = screen.getByRole('navigation', { name: 'Rubriky' })
  expect(within(bar).getByRole('link', { name: 'Südpost' }).getAttribute('href')).toBe('https://south.example/')
  expect(within(bar).queryByRole('link', { name: 'Severník' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Menu' }))
  const menu = await screen.findByRole('navigation', { name: 'Menu' })
  expect(within(menu).getByRole('link', { name: 'Minúta' }).getAttribute('href')).toBe('/minuta')
  expect(within(menu).getAllByRole('link', { name: 'Politika' })).toHaveLength(1)
  const list = within(menu).getByRole('list', { name: 'Vydania' })
  expect(within(list).getAllByRole('link').map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
    ['Severník', 'true'],
    ['Südpost', null],
  ])
})

test.each([
  ['politics', 'Politika'],
  ['politics.europe', 'Politika'],
  ['sport', undefined],
  [undefined, undefined],
])('of a page about %s the bar marks %s', (section, name) => {
  render(<Header pathname="/17/most" session={guest} tier="anonymous" section={section} />)
  expect(screen.queryByRole('link', { current: true })?.textContent).toBe(name)
})

test('without scripts links stand in the place of the buttons', () => {
  const { container } = render(header())
  const links = [...container.querySelectorAll<HTMLAnchorElement>('a.plain')].map((a) => [a.getAttribute('aria-label'), a.getAttribute('href')])
  expect(links).toEqual([
    ['Menu', '#sections'],
    ['Hľadať', '/search'],
    ['Prihlásenie', '/account/login'],
  ])
})

test('a reader is named and can leave', async () => {
  const session = makeReader()
  const { user } = render(<Header pathname="/" session={session} tier="member" />, { session })
  await user.click(screen.getByRole('button', { name: 'Účet' }))
  const panel = await screen.findByRole('navigation', { name: 'Účet' })
  expect(panel.textContent).toContain('citatel@north.example')
  expect(within(panel).getByRole('link', { name: 'Odhlásiť sa' })).toHaveProperty('pathname', '/account/logout')
  expect(within(panel).queryByRole('link', { name: 'Prihlásenie' })).toBeNull()
})

test.each([
  ['a visitor', guest, 'anonymous', {}, 'subscription'],
  ['a visitor, where nothing is sold', guest, 'anonymous', { subscriptions: false }, 'register'],
  ['a reader', makeReader(), 'member', {}, 'subscription'],
  ['a reader, where nothing is sold', makeReader(), 'member', { subscriptions: false }, 'none'],
  ['a subscriber', makeReader({ userSubscription: 1_900_000_000 }), 'entitled', {}, 'none'],
  ['a legacy reader', makeReader({ userType: 'wordpress' }), 'member', {}, 'none'],
  ['not known yet, a page for all', { status: 'unknown' }, 'anonymous', {}, 'subscription'],
  ['not known yet, a page for subscribers', { status: 'unknown' }, 'entitled', {}, 'none'],
] as const)('the offer to %s', (_, session, tier, flags, offer) => {
  expect(offerOf(session, tier, flags)).toBe(offer)
})

test.each([
  ['  Čo ďalej? ', 'čo ďalej'],
  ['???', ''],
  [' ', ''],
])('the search for %j is for %j', (text, term) => {
  expect(searchTerm(text)).toBe(term)
})
