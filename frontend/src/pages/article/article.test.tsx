import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ArticleData, Offer } from '../../api/content.ts'
import { makeCard } from '../../test/cards.ts'
import { editions } from '../../test/editions.ts'
import { makePage, makeReader, render } from '../../test/render.tsx'
import { Page } from './article.page.tsx'

const offer: Offer = { amount: 796, currency: 'EUR', unit: 'week', count: 4, introAmount: 100, introPeriods: 1 }
const body = Array.from({ length: 9 }, (_, index) => `<p>Odsek ${index + 1}.</p>`).join('')

const makeData = (over: Partial<ArticleData> = {}): ArticleData => ({
  card: makeCard({ locked: true }),
  body,
  access: 'open',
  reason: 'subscription',
  paragraphs: 9,
  withheld: 0,
  related: [],
  mostRead: [],
  offer,
  ...over,
})
const page = (over: Partial<ArticleData> = {}, tier: 'anonymous' | 'member' | 'entitled' = 'entitled') => makePage(makeData(over), { route: 'article', url: '/17/most-cez-rieku?status=EMAIL_SENT', tier })
const locked = (reason: ArticleData['reason']) => ({ access: 'locked', reason, body: '<p>Odsek 1.</p>', withheld: 8 }) as const
const plain = (text: string | null | undefined) => text?.replaceAll('\u00a0', ' ')
const paywall = () => document.querySelector<HTMLElement>('.paywalled')

afterEach(() => {
  window.location.hash = ''
})

describe('the paywall', () => {
  test.each([
    ['sk', 'Prečítajte si celý článok zadarmo: po registrácii máte každý mesiac 3 články pre predplatiteľov.', 'Predplatné: prvé 4 týždne za 1,00 €, potom 7,96 € každé 4 týždne. Zrušíte ho kedykoľvek.', ['Čítať zadarmo', 'Predplatiť', 'Prihlásiť sa']],
    ['at', 'Lesen Sie den ganzen Artikel gratis: Nach der Registrierung sind jeden Monat 3 Abo-Artikel für Sie frei.', 'Abo: die ersten 4 Wochen für 1,00 €, danach 7,96 € alle 4 Wochen. Jederzeit kündbar.', ['Gratis lesen', 'Jetzt abonnieren', 'Anmelden']],
    ['ch', 'Lesen Sie den ganzen Artikel kostenlos: Nach der Registrierung sind jede Woche 3 Abo-Artikel für Sie frei.', 'Abo: die ersten 4 Wochen für 1,00 €, danach 7,96 € alle 4 Wochen. Jederzeit kündbar.', ['Kostenlos lesen', 'Jetzt abonnieren', 'Anmelden']],
  ] as const)('in %s offers a visitor what its headline says, then the subscription', (edition, state, price, ways) => {
    render(<Page page={page(locked('login'), 'anonymous')} />, { edition: editions[edition] })
    expect(screen.getByRole('heading', { level: 2, name: state })).toBeTruthy()
    expect(plain(paywall()?.textContent)).toContain(price)
    const links = [...(paywall()?.querySelectorAll('a') ?? [])]
    expect(links.map((link) => link.textContent)).toEqual(ways)
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/account/registration', '/account', '/account/login'].map((path) => `${path}?referrer=%2F17%2Fmost-cez-rieku`))
    expect(links.map((link) => link.getAttribute('data-variant') ?? link.className)[0]).not.toBe(links[1]?.className)
  })

  test.each([
    ['sk', 'Tento mesiac ste už prečítali všetky 3 články, ktoré máte zadarmo.', 'Ďalšie články zadarmo budete mať od 1. decembra 2026.'],
    ['at', 'Sie haben diesen Monat bereits alle 3 freien Abo-Artikel gelesen.', 'Ihre nächsten freien Artikel gibt es ab dem 1. Dezember 2026.'],
    ['ch', 'Sie haben diese Woche bereits alle 3 freien Abo-Artikel gelesen.', 'Ihre nächsten freien Artikel gibt es ab dem 1. Dezember 2026.'],
  ] as const)('in %s tells a reader that the limit is reached, until when, and asks for no login', (edition, state, next) => {
    render(<Page page={page({ ...locked('limit'), freeFrom: '2026-12-01T00:00:00+01:00' }, 'member')} />, { edition: editions[edition], session: makeReader() })
    expect(screen.getByRole('heading', { level: 2, name: state })).toBeTruthy()
    expect(plain(paywall()?.textContent)).toContain(next)
    expect([...(paywall()?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))).toEqual(['/account?referrer=%2F17%2Fmost-cez-rieku'])
  })

  test.each(['login', 'limit', 'subscribers'] as const)('an account of the former site is offered no subscription: %s', (reason) => {
    render(<Page page={page(locked(reason as never), 'member')} />, { session: makeReader({ userType: 'wordpress' }) })
    expect(paywall()?.querySelectorAll('a').length).toBe(0)
    expect(plain(paywall()?.textContent)).not.toContain('€')
  })

  test('an edition without free articles promises none', () => {
    render(<Page page={page(locked('login'), 'anonymous')} />, { edition: { ...editions.sk, limits: { freeArticles: 0, period: 'month', freeVideos: 0 } } })
    expect(screen.getByRole('heading', { level: 2, name: 'Celý článok si prečítajú predplatitelia.' })).toBeTruthy()
  })

  test('an edition that sells nothing asks for registration and names no price', () => {
    render(<Page page={page(locked('login'), 'anonymous')} />, { edition: { ...editions.sk, flags: { subscriptions: false } } })
    expect(paywall()?.textContent).not.toContain('€')
    expect(screen.getByRole('link', { name: 'Čítať zadarmo' }).getAttribute('href')).toMatch(/^\/account\/registration/)
  })

  test('a price without an introduction is said as it is', () => {
    render(<Page page={page({ ...locked('limit'), offer: { amount: 8900, currency: 'EUR', unit: 'year', count: 1 } }, 'member')} />)
    expect(plain(paywall()?.textContent)).toContain('89,00 € každý rok')
  })

  test('an open article has none', () => {
    render(<Page page={page()} />)
    expect(paywall()).toBeNull()
  })
})

describe('reading to the end', () => {
  const stubFetch = () => {
    const fetch = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>(async () => Response.json({ success: true }))
    vi.stubGlobal('fetch', fetch)
    return fetch
  }
  const records = (fetch: ReturnType<typeof stubFetch>) => fetch.mock.calls.filter(([url]) => url === '/fns/logs-put').map(([, init]) => JSON.parse(String(init?.body)) as unknown)
  /** Says what has come into the window. */
  const stubWindow = () => {
    const watched = new Map<Element, (seen: { isIntersecting: boolean }[]) => void>()
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(readonly onSeen: (seen: { isIntersecting: boolean }[]) => void) {}
        observe = (element: Element) => void watched.set(element, this.onSeen)
        disconnect = () => undefined
      },
    )
    return watched
  }

  test('a long article is shown whole, and nothing has to be pressed', () => {
    stubWindow()
    const { container } = render(<Page page={page()} />, { session: makeReader() })
    expect(container.querySelectorAll('[data-prose] p')).toHaveLength(9)
    expect(container.querySelector('[class*=fold]')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Pokračovať v čítaní' })).toBeNull()
  })

  test('the server is told once the end of the text comes into the window', () => {
    const [fetch, watched] = [stubFetch(), stubWindow()]
    render(<Page page={page({ card: makeCard({ locked: false }) })} />, { session: makeReader() })
    const [[end, onSeen]] = [...watched] as [[Element, (seen: { isIntersecting: boolean }[]) => void]]
    expect(end.previousElementSibling?.textContent).toContain('Odsek 9.')
    onSeen([{ isIntersecting: false }])
    expect(records(fetch)).toEqual([])
    onSeen([{ isIntersecting: true }])
    expect(records(fetch)).toEqual([{ action: 'article_read_full', meta_value: '17', publish_date: '2026-03-02T13:05:00Z', user_id: 7 }])
  })

  test('nobody reads a locked article to its end', () => {
    const watched = stubWindow()
    render(<Page page={page(locked('login'), 'anonymous')} />)
    expect(watched.size).toBe(0)
  })
})

describe('the credits', () => {
  const answer = (data: object) => vi.stubGlobal('fetch', async () => Response.json({ success: true, data }))

  test.each([
    ['sk', 2, 'Tento mesiac vám zostávajú 2 z 3 článkov zadarmo.'],
    ['sk', 0, 'Tento mesiac čítate posledný z 3 článkov zadarmo.'],
    ['at', 1, 'Noch 1 von 3 freien Abo-Artikeln dieses Monats.'],
  ] as const)('in %s, %i left, are said to a reader without a subscription', async (edition, left, text) => {
    answer({ left, limit: 3, period: 'month' })
    render(<Page page={page()} />, { edition: editions[edition], session: makeReader() })
    expect(await screen.findByText(text)).toBeTruthy()
  })

  test('are not asked for a subscriber, a visitor, or an article that is free', () => {
    const fetch = vi.fn()
    vi.stubGlobal('fetch', fetch)
    render(<Page page={page()} />, { session: makeReader({ userSubscription: 1_900_000_000 }) })
    render(<Page page={page({}, 'anonymous')} />)
    render(<Page page={page({ card: makeCard() })} />, { session: makeReader() })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('that do not come leave the page as it is', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
    render(<Page page={page()} />, { session: makeReader() })
    await waitFor(() => expect(document.querySelector('[class*=credits]')?.textContent).toBe(''))
  })
})

test.each(['video', 'salon_article'] as const)('a %s is played on its panel: a file by the browser, a provider only after a click', async (type) => {
  const watch = (over: Partial<ArticleData['card']>) => render(<Page page={page({ card: makeCard({ type, videoSeconds: 187, ...over }) })} />)
  const { unmount } = watch({ video: { kind: 'file', src: '/media/film.webm' } })
  expect(document.querySelector('video')?.getAttribute('src')).toBe('/media/film.webm')
  expect(document.querySelector('video')?.preload).toBe('none')
  unmount()

  const second = watch({ video: { kind: 'youtube', src: 'abcdefghijk' } })
  const link = screen.getByRole('link', { name: 'Most cez rieku otvoria na jar' })
  expect(link.getAttribute('href')).toBe('https://www.youtube.com/watch?v=abcdefghijk')
  expect(document.querySelector('iframe')).toBeNull()
  fireEvent.click(link)
  expect(document.querySelector('iframe')?.src).toBe('https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1')
  second.unmount()

  watch({ locked: true })
  expect(document.querySelector('video, iframe')).toBeNull()
  expect(document.querySelector('figure img')).toBeTruthy()
})

test('an opinion introduces its author, a report names its authors', () => {
  const authors = [{ name: 'Hana Vrbová', role: 'komentátorka', bio: 'Píše o mestách.', url: '/author/hana' }, { name: 'Ján Kos' }]
  const { unmount } = render(<Page page={page({ card: makeCard({ type: 'comment_article', authors }) })} />)
  expect(screen.getByText('Píše o mestách.')).toBeTruthy()
  unmount()
  render(<Page page={page({ card: makeCard({ authors }) })} />)
  expect(screen.queryByText('Píše o mestách.')).toBeNull()
  expect(screen.getByRole('link', { name: 'Hana Vrbová' }).getAttribute('href')).toBe('/author/hana')
})

test('an opinion has the look of one, here as in lists; an essay of the week has none', () => {
  for (const [type, looks] of [['comment_article', true], ['weekly_topic_article', false], ['article', false]] as const) {
    const { container, unmount } = render(<Page page={page({ card: makeCard({ type, authors: [{ name: 'Hana Vrbová' }] }) })} />)
    expect([type, container.querySelector('article.opinion') !== null]).toEqual([type, looks])
    unmount()
  }
})

test('related articles stand in rows of 3, 4 and 4', () => {
  const related = Array.from({ length: 12 }, (_, index) => makeCard({ id: index + 50, url: `/${index + 50}/x`, title: `Súvisiaci ${index}` }))
  const { container } = render(<Page page={page({ related })} />)
  expect([...container.querySelectorAll('.rows > .row')].map(({ children }) => children.length)).toEqual([3, 4, 4])
  expect(screen.getByText('Súvisiaci 10')).toBeTruthy()
  expect(screen.queryByText('Súvisiaci 11')).toBeNull()
})

test.each([
  ['on its day', '2026-03-02', 'Hana Vrbová|dnes o 14:05|3 min čítania|12 komentárov'],
  ['later', '2026-03-03', 'Hana Vrbová|2. marca 2026 o 14:05|3 min čítania|12 komentárov'],
])('under the standfirst stands who wrote it, when, and how long reading takes: %s', (_, today, line) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T15:00:00Z`) })
  const { container } = render(<Page page={{ ...page({ card: makeCard({ comments: 12 }), minutes: 3, discussion: '/discussion/comment-17' }), today }} />)
  vi.useRealTimers()
  const parts = [...(container.querySelector('header ~ div > p')?.children ?? [])]
  expect(plain(parts.map((part) => part.textContent).join('|'))).toBe(line)
  expect(container.querySelector('article')?.children[1]?.contains(parts[0] ?? null)).toBe(true)
})

test('an article that nobody has commented on says nothing of comments', () => {
  render(<Page page={page({ card: makeCard({ comments: 0 }), discussion: '/discussion/comment-17' })} />)
  expect(screen.queryByText(/komentárov/)).toBeNull()
})

test('the picture opens large without scripts', () => {
  const { container } = render(<Page page={page()} />)
  const large = container.querySelector('[popover]')
  expect(large?.querySelector('img')?.getAttribute('src')).toBe('/img/most?w=1600')
  expect([...container.querySelectorAll('button[popovertarget]')].map((button) => button.getAttribute('popovertarget'))).toEqual([large?.id, large?.id])
})

test('beside the text stands what is read most', () => {
  const mostRead = Array.from({ length: 5 }, (_, index) => makeCard({ id: index + 50, url: `/${index + 50}/x`, title: `Čítaný ${index}` }))
  render(<Page page={page({ mostRead })} />)
  expect(screen.getAllByText(/^Čítaný/)).toHaveLength(5)
})

test.each([
  ['Most cez rieku.', 'Jana Nová', 'Most cez rieku. Obrázok: Jana Nová'],
  ['', 'Jana Nová', 'Obrázok: Jana Nová'],
  ['Most cez rieku.', undefined, 'Most cez rieku.'],
  [undefined, undefined, undefined],
])('under a picture stands what it shows (%s) and who made it (%s)', (caption, credit, shown) => {
  render(<Page page={page({ card: makeCard({ picture: { id: 'f'.repeat(32), width: 1440, height: 960, alt: '', caption, credit } }) })} />)
  expect(document.querySelector('figcaption')?.textContent?.trim()).toBe(shown)
})
