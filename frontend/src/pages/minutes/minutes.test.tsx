import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MinutesData } from '../../api/content.ts'
import { editions } from '../../test/editions.ts'
import { makeMinutes } from '../../test/minutes.ts'
import { makePage, render } from '../../test/render.tsx'
import { ownAddress, readerAddress } from './address.ts'
import { Page } from './minutes.page.tsx'
import { partSize, preloadsAt } from './use-reader.ts'

const makeData = (over: Partial<MinutesData> = {}): MinutesData => ({ layout: 'reader', items: makeMinutes(10), offset: 0, next: '/minuta?offset=10', ...over })
const page = (over: Partial<MinutesData> = {}, url = '/minuta') => makePage(makeData(over), { route: 'minutes', url })

const asked: string[] = []
beforeEach(() => {
  asked.length = 0
  window.history.replaceState(null, '', '/minuta')
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(decodeURIComponent(url.split('url=')[1] ?? ''))
    const offset = Number(/offset=(\d+)/.exec(asked.at(-1) ?? '')?.[1])
    const last = offset >= 20
    return Response.json(makePage({ layout: 'reader', items: makeMinutes(10, offset), offset, ...(last ? {} : { next: `/minuta?offset=${offset + 10}` }) }, { route: 'minutes' }))
  })
})
afterEach(() => vi.unstubAllGlobals())

const shown = () => document.querySelector('li[data-current] h3')?.textContent
const previous = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Predchádzajúca' })
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Ďalšia' })
const stories = () => document.querySelectorAll('article')

test('the next ten are fetched at the sixth of each ten', () => {
  expect(partSize).toBe(10)
  const all = Array.from({ length: 40 }, (_, index) => index)
  expect(all.filter(preloadsAt)).toEqual([5, 15, 25, 35])
})

test.each([
  ['sk', '/17/x?article_type=minuta'],
  ['at', '/17/x?article_type=minutes'],
] as const)('in %s the reader opens at an item by its address', (edition, address) => {
  expect(readerAddress({ url: '/17/x' }, editions[edition].paths)).toBe(address)
})

test('an address that already leads there stays, and is passed on without it', () => {
  expect(readerAddress({ url: '/17/x?article_type=minuta' }, editions.sk.paths)).toBe('/17/x?article_type=minuta')
  expect(ownAddress({ url: '/17/x?article_type=minuta' })).toBe('/17/x')
})

describe('the reader', () => {
  test('is a stream of all items under their days, in which none is opened yet', () => {
    render(<Page page={page()} />)
    expect(stories()).toHaveLength(10)
    expect(document.querySelector('[data-current]')).toBeNull()
    expect(screen.getAllByRole('heading', { level: 2 }).map((day) => day.textContent)).toEqual(['pondelok 2.\u00a0marca\u00a02026'])
  })

  test('cannot go before the newest', async () => {
    const { user } = render(<Page page={page()} />)
    expect(previous().disabled).toBe(true)
    const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    await user.click(next())
    expect(shown()).toBe('Správa 2')
    expect(scroll.mock.contexts.map((item) => (item as HTMLElement).dataset.index)).toEqual(['1'])
    expect(previous().disabled).toBe(false)
    await user.click(previous())
    expect(shown()).toBe('Správa 1')
    expect(previous().disabled).toBe(true)
  })

  test('goes by keys, not while somebody types', async () => {
    const { user } = render(
      <>
        <input aria-label="pole" />
        <Page page={page()} />
      </>,
    )
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}')
    expect(shown()).toBe('Správa 2')
    await user.click(screen.getByLabelText('pole'))
    await user.keyboard('{ArrowRight}')
    expect(shown()).toBe('Správa 2')
  })

  test('leaves the keys to a dialog that is open', async () => {
    const { user } = render(<Page page={page()} />)
    document.body.append(Object.assign(document.createElement('dialog'), { open: true }))
    await user.keyboard('{ArrowRight}')
    expect(shown()).toBeUndefined()
    document.querySelector('body > dialog')?.remove()
  })

  test('goes by a swipe of more than 190 pixels', () => {
    render(<Page page={page()} />)
    const surface = document.querySelector('[class*=main]')!
    const swipe = (from: number, to: number) => {
      fireEvent.pointerDown(surface, { pointerId: 1, isPrimary: true, pointerType: 'touch', clientX: from, clientY: 5 })
      fireEvent.pointerUp(surface, { pointerId: 1, isPrimary: true, pointerType: 'touch', clientX: to, clientY: 5 })
    }
    swipe(300, 110)
    expect(shown()).toBeUndefined()
    swipe(300, 109)
    expect(shown()).toBe('Správa 2')
    swipe(10, 201)
    expect(shown()).toBe('Správa 1')
  })

  test('says the change, and puts the item into the address', async () => {
    const { user } = render(<Page page={page()} />)
    await user.click(next())
    expect(screen.getAllByRole('status').some((status) => status.textContent === '20:00 Správa 2')).toBe(true)
    expect(window.location.pathname + window.location.search).toBe('/2/sprava?article_type=minuta')
    expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe('https://north.example/2/sprava')
    await user.click(previous())
    expect(window.location.pathname + window.location.search).toBe('/minuta')
  })

  test('fetches ahead in the middle of the last ten, once', async () => {
    const { user } = render(<Page page={page()} />)
    for (let i = 0; i < 4; i++) await user.keyboard('{ArrowRight}')
    expect(asked).toEqual([])
    await user.keyboard('{ArrowRight}')
    expect(shown()).toBe('Správa 6')
    expect(asked).toEqual(['/minuta?offset=10'])
    await waitFor(() => expect(stories()).toHaveLength(20))
    for (let i = 0; i < 5; i++) await user.keyboard('{ArrowRight}')
    expect(shown()).toBe('Správa 11')
    expect(asked).toHaveLength(1)
  })

  test('goes on from where the reader has scrolled to, and marks what was opened until then', async () => {
    let report: IntersectionObserverCallback = () => undefined
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: IntersectionObserverCallback) {
          report = callback
        }
        observe = () => undefined
        disconnect = () => undefined
      },
    )
    const { user } = render(<Page page={page()} />)
    const scrollTo = (index: number) => {
      const target = document.querySelector(`[data-index="${index}"]`)
      act(() => report([{ isIntersecting: true, target } as IntersectionObserverEntry], {} as IntersectionObserver))
    }
    const link = (name: string) => within(screen.getByRole('navigation')).getByRole('link', { name })
    scrollTo(6)
    expect(shown()).toBeUndefined()
    expect(link('Správa 7').getAttribute('aria-current')).toBe('true')
    expect(asked).toEqual([])
    await user.click(next())
    expect(shown()).toBe('Správa 8')
    vi.spyOn(document.querySelector('[data-index="7"]')!, 'getBoundingClientRect').mockReturnValue({ top: 300, bottom: 500 } as DOMRect)
    scrollTo(6)
    expect(link('Správa 8').getAttribute('aria-current')).toBe('true')
  })

  test('past the last that is here it waits for the next part', async () => {
    const { user } = render(<Page page={page({ items: makeMinutes(2) })} />)
    await user.click(next())
    expect(asked).toEqual([])
    await user.click(next())
    expect(asked).toEqual(['/minuta?offset=10'])
    await waitFor(() => expect(shown()).toBe('Správa 11'))
  })

  test('ends at the very last', async () => {
    const { user } = render(<Page page={makePage({ layout: 'reader', items: makeMinutes(2), offset: 0 } satisfies MinutesData, { url: '/minuta' })} />)
    await user.click(next())
    expect(next().disabled).toBe(true)
  })

  test('a part that does not come is told, and the item stays', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
    const { user, path } = render(<Page page={page({ items: makeMinutes(1) })} />, { url: '/minuta' })
    await user.click(next())
    await waitFor(() => expect(path()).toBe('/minuta?status=ERROR'))
    expect(stories()).toHaveLength(1)
    expect(next().disabled).toBe(false)
  })

  test('the overview leads to any of them', async () => {
    const { user } = render(<Page page={page()} />)
    const overview = screen.getByRole('navigation', { name: 'Všetky krátke správy' })
    const link = within(overview).getByRole('link', { name: 'Správa 8' })
    expect(link.getAttribute('href')).toBe('/8/sprava?article_type=minuta')
    await user.click(link)
    expect(shown()).toBe('Správa 8')
    expect(link.getAttribute('aria-current')).toBe('true')
  })

  test('an item named by the address comes first, with a way to the newest', () => {
    render(<Page page={page({ items: makeMinutes(10, 4), selected: 5 }, '/5/sprava?article_type=minuta')} />)
    expect(shown()).toBe('Správa 5')
    expect(screen.getByRole('link', { name: 'Najnovšie správy' }).getAttribute('href')).toBe('/minuta')
  })

  test('the discussion is shown where the edition has one', () => {
    const { unmount } = render(<Page page={page()} />)
    expect(screen.queryByRole('link', { name: /^Diskusia/ })).toBeNull()
    unmount()
    render(<Page page={page({ items: makeMinutes(3).map((item) => ({ ...item, discussion: `/discussion/comment-${item.id}` })) })} />)
    expect(screen.getAllByRole('link', { name: /^Diskusia/ }).map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Diskusia · 2 komentáre', '/discussion/comment-1'],
      ['Diskusia', '/discussion/comment-2'],
      ['Diskusia', '/discussion/comment-3'],
    ])
  })

  test('of a locked item it shows the preview and leads to the whole', () => {
    const [first] = makeMinutes(1)
    render(<Page page={page({ items: [{ ...first!, locked: true }] })} />)
    expect(screen.getByRole('link', { name: 'Celý text' }).getAttribute('href')).toBe('/1/sprava')
  })
})

describe('the list', () => {
  const list = (over: Partial<MinutesData> = {}) => page({ layout: 'list', ...over })

  test('shows times under their days, and nothing leafs', () => {
    render(<Page page={list({ items: makeMinutes(30) })} />, { edition: editions.ch })
    expect(screen.getAllByRole('heading', { level: 2 }).map((day) => day.textContent)).toEqual(['Montag, 2.\u00a0März\u00a02026', 'Sonntag, 1.\u00a0März\u00a02026'])
    expect(document.querySelector('time')?.textContent).toBe('21:00')
    expect(document.querySelector('[data-current]')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Nächste' })).toBeNull()
  })

  test('grows by a link, and says by how much', async () => {
    const { user } = render(<Page page={list()} />)
    expect(screen.getByRole('link', { name: 'Načítať ďalšie' }).getAttribute('href')).toBe('/minuta?offset=10')
    await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
    await waitFor(() => expect(stories()).toHaveLength(20))
    expect(screen.getByText('Pribudlo 10 správ.')).toBeTruthy()
  })

  test('keys move nothing', async () => {
    const { user } = render(<Page page={list()} />)
    await user.keyboard('{ArrowRight}')
    expect(window.location.pathname).toBe('/minuta')
  })
})

test.each(['reader', 'list'] as const)('a %s without items says so', (layout) => {
  const data: MinutesData = { layout, items: [], offset: 0 }
  render(<Page page={makePage(data, { url: '/minuta' })} />)
  expect(screen.getByText(/Zatiaľ tu nie sú/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
