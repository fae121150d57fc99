import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Card } from '../../api/content.ts'
import { withoutMarks, withVideo } from '../../app/status.ts'
import { makeCard } from '../../test/cards.ts'
import { makeReader, render } from '../../test/render.tsx'
import { VideoRow } from '../video-row.tsx'

const film = (id: number, over: Partial<Card> = {}) => makeCard({ id, url: `/${id}/film`, title: `Film ${id}`, type: 'video', date: '2026-03-02T23:30:00Z', videoSeconds: 61, video: { kind: 'file', src: `/media/${id}.mp4` }, ...over })
const cards = [film(1), film(2, { video: { kind: 'youtube', src: 'abcdefghijk' } }), film(3, { video: { kind: 'vimeo', src: '123456789' } }), film(4, { locked: true })]
const show = (url = '/', session?: ReturnType<typeof makeReader>) => render(<VideoRow cards={cards} label="Videá" />, { url, ...(session ? { session } : {}) })

const dialog = () => screen.findByRole<HTMLDialogElement>('dialog')
const facade = () => document.querySelector('dialog a[data-native]')!
const frame = () => document.querySelector('iframe')
const links = () => Object.fromEntries(screen.getAllByRole<HTMLAnchorElement>('link').map((link) => [link.textContent, link]))
const clickFilm = (id: number) => screen.getAllByRole('link', { name: `Film ${id}` })[0]!

const asked: string[] = []
beforeEach(() => {
  asked.length = 0
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(decodeURIComponent(url))
    return new Response('{}', { status: 404 })
  })
})
afterEach(() => vi.unstubAllGlobals())

test('an address with a video says which and of what day, and is the same page without', () => {
  expect(withVideo('/x?offset=19&video-komentar=1&data=2026-01-01', { id: 17, day: '2026-03-03' })).toBe('/x?offset=19&video-komentar=17&data=2026-03-03')
  expect(withVideo('/x?video-komentar=1&data=2026-01-01')).toBe('/x')
  expect(withoutMarks('/x?a=1&video-komentar=1&data=2026-01-01&status=ERROR')).toBe('/x?a=1')
})

test('videos are links to their articles', () => {
  show()
  expect(links()['Film 1']?.getAttribute('href')).toBe('/1/film')
  expect(screen.queryByRole('dialog')).toBeNull()
})

describe('a click on a video', () => {
  test('plays its file over the page, and puts it into the address', async () => {
    const { user, path } = show('/category/politika?offset=19')
    await user.click(clickFilm(1))
    expect((await dialog()).open).toBe(true)
    const video = document.querySelector('video')!
    expect(video.getAttribute('src')).toBe('/media/1.mp4')
    expect([video.controls, video.hasAttribute('playsinline'), video.autoplay]).toEqual([true, true, true])
    expect(path()).toBe('/category/politika?offset=19&video-komentar=1&data=2026-03-03')
  })

  test('asks another site at once, for it was asked for', async () => {
    const { user } = show()
    await user.click(clickFilm(2))
    await dialog()
    expect(frame()?.getAttribute('src')).toBe('https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1')
    expect(frame()?.title).toBe('Film 2')
  })

  test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])('with %o it is the browser’s', (over) => {
    const { path } = show()
    fireEvent.click(clickFilm(1), over)
    expect(path()).toBe('/')
  })

  test('on a locked one leads to its article', async () => {
    const { user, path } = show()
    let prevented: boolean | undefined
    const listen = (event: Event) => {
      prevented = event.defaultPrevented
      event.preventDefault()
    }
    document.addEventListener('click', listen)
    await user.click(clickFilm(4))
    document.removeEventListener('click', listen)
    expect(prevented).toBe(false)
    expect(path()).toBe('/')
  })

  test('of a reader is told to the server by its address; a visitor’s is not', async () => {
    const { user, unmount } = show('/', makeReader())
    await user.click(clickFilm(1))
    await dialog()
    expect(asked).toEqual(['/api/page?url=/?video-komentar=1&data=2026-03-03'])
    unmount()
    asked.length = 0
    const visitor = show()
    await visitor.user.click(clickFilm(1))
    await dialog()
    expect(asked).toEqual([])
  })
})

describe('the player', () => {
  const open = async (id: number) => {
    const result = show()
    await result.user.click(clickFilm(id))
    await dialog()
    return result
  }
  const title = () => screen.getByRole('heading', { level: 2 }).textContent

  test('leads to its neighbours by buttons, which end with the row', async () => {
    const { user, path } = await open(1)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Predchádzajúce video' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Nasledujúce video' }))
    expect(title()).toBe('Film 2')
    expect(path()).toContain('video-komentar=2')
    await user.click(screen.getByRole('button', { name: 'Nasledujúce video' }))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Nasledujúce video' }).disabled).toBe(true)
    expect(screen.getByText('3 z 3')).toBeTruthy()
  })

  test('leads there by arrow keys and swipes, and loads nothing of another site until it is clicked', async () => {
    const { user } = await open(1)
    screen.getByRole('button', { name: 'Zavrieť' }).focus() // as browsers do
    await user.keyboard('{ArrowRight}')
    expect(title()).toBe('Film 2')
    expect(frame()).toBeNull()
    const inner = screen.getByText('2 z 3').closest('[class*=inner]')!
    fireEvent.pointerDown(inner, { pointerId: 1, isPrimary: true, pointerType: 'touch', clientX: 300, clientY: 5 })
    fireEvent.pointerUp(inner, { pointerId: 1, isPrimary: true, pointerType: 'touch', clientX: 100, clientY: 5 })
    expect(title()).toBe('Film 3')
    expect(frame()).toBeNull()
    expect(facade().getAttribute('href')).toBe('https://vimeo.com/123456789')
    await user.click(facade())
    expect(frame()?.getAttribute('src')).toContain('https://player.vimeo.com/')
  })

  test.each<[string, (user: Awaited<ReturnType<typeof open>>['user']) => Promise<void> | void]>([
    ['its button', (user) => user.click(screen.getByRole('button', { name: 'Zavrieť' }))],
    ['Escape', () => void fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))],
    ['its backdrop', () => void fireEvent.click(screen.getByRole('dialog'))],
  ])('closes by %s, and gives the focus back', async (_name, close) => {
    const { user, path } = await open(2)
    await close(user)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(path()).toBe('/')
    await waitFor(() => expect(document.activeElement).toBe(clickFilm(2)))
  })

  test('fetches of a file no more than its measures until it is asked for', async () => {
    show('/?video-komentar=1')
    await dialog()
    expect(document.querySelector('video')).toMatchObject({ preload: 'metadata', autoplay: false })
  })

  test('a click in it does not close it', async () => {
    await open(1)
    fireEvent.click(screen.getByText('1 z 3'))
    expect(screen.getByRole('dialog')).toBeTruthy()
  })
})

describe('an address that names a video', () => {
  test('opens it, and loads nothing of another site until it is clicked', async () => {
    const { user, path } = show('/?video-komentar=2&data=2026-03-03')
    await dialog()
    expect(frame()).toBeNull()
    await user.click(facade())
    expect(frame()).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Zavrieť' }))
    await waitFor(() => expect(path()).toBe('/'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test.each(['4', '99', 'x', ''])('is the page alone when it names %j', async (id) => {
    show(`/?video-komentar=${id}`)
    await Promise.resolve()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
