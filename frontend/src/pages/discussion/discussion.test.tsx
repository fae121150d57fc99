import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { DiscussionData, DiscussionThread } from '../../api/discussion.ts'
import { makePage, render, serverHTML } from '../../test/render.tsx'
import { Page } from './discussion.page.tsx'

const path = '/discussion/comment-5'
const said = (id: number) => ({ id, name: 'Anna', text: `komentár ${id}`, state: 'shown' as const, date: '2026-11-22T10:00:00Z', likes: 0 })
const thread = (id: number, replies: number[] = [], more?: string): DiscussionThread => ({ ...said(id), replies: replies.map(said), ...(more ? { more } : {}) })
const data = (threads: DiscussionThread[], over: Partial<DiscussionData> = {}): DiscussionData => ({
  post: { id: 5, title: 'Rozpočet', url: '/5/rozpocet' },
  count: 9,
  threads,
  longest: 2000,
  viewer: { state: 'anonymous' },
  ...over,
})
const page = (of: DiscussionData, url = path) => makePage(of, { route: 'discussion', url })

/** Answers /api/page by the address that is asked for; returns those addresses. */
function pages(answers: Record<string, DiscussionData>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const address = new URL(url, window.location.href).searchParams.get('url') ?? ''
    asked.push(address)
    const found = answers[address]
    if (!found) throw new TypeError(`No answer for ${address}`)
    return new Response(JSON.stringify(page(found, address)), { headers: { 'content-type': 'application/json' } })
  })
  return asked
}

const shown = () => screen.getAllByRole('article').map(({ id }) => Number(id.replace('comment-', '')))

test('the server makes every part of a discussion', () => {
  for (const url of [path, `${path}?before=7`, `${path}?after=3&thread=1`]) expect(serverHTML(<Page page={page(data([thread(9)]), url)} />, { url }), url).toContain('komentár 9')
})

test('the answers that follow are a link, and join their thread', async () => {
  const first = data([thread(9), thread(1, [2, 3, 8], `${path}?after=3&thread=1`)])
  pages({ [`${path}?after=3&thread=1`]: data([thread(1, [4, 5, 8])], { whole: path }) })
  const { user } = render(<Page page={page(first)} />)
  const more = screen.getByRole('link', { name: 'Ďalšie odpovede' })
  expect(more.getAttribute('href')).toBe(`${path}?after=3&thread=1`)
  await user.click(more)
  await waitFor(() => expect(shown()).toEqual([9, 1, 2, 3, 4, 5, 8]))
  expect(screen.queryByRole('link', { name: 'Ďalšie odpovede' })).toBeNull()
  expect(document.activeElement?.id).toBe('comment-4')
})

test('what has grown is asked for anew in the parts that others ask for', async () => {
  const asked = pages({
    [path]: data([thread(30), thread(9)], { next: `${path}?before=9` }),
    [`${path}?before=9`]: data([thread(5), thread(1, [2], `${path}?after=2&thread=1`)], { next: `${path}?before=1` }),
    [`${path}?after=2&thread=1`]: data([thread(1, [4])], { whole: path }),
  })
  const { user } = render(<Page page={page(data([thread(9)], { next: `${path}?before=9` }))} />)
  await user.click(screen.getByRole('link', { name: 'Načítať ďalšie' }))
  await waitFor(() => expect(shown()).toEqual([9, 5, 1, 2]))
  await user.click(screen.getByRole('link', { name: 'Ďalšie odpovede' }))
  await waitFor(() => expect(shown()).toEqual([9, 5, 1, 2, 4]))
  asked.length = 0
  document.dispatchEvent(new Event('visibilitychange')) // as coming back to the tab
  await waitFor(() => expect(shown()).toEqual([30, 9, 5, 1, 2, 4]), { timeout: 5000 })
  expect(asked).toEqual([path, `${path}?before=9`, `${path}?after=2&thread=1`])
})

test('a part of a thread leads to the whole discussion', () => {
  render(<Page page={page(data([thread(1, [4])], { whole: path }), `${path}?after=3&thread=1`)} />)
  expect(screen.getByRole('link', { name: 'Celá diskusia' }).getAttribute('href')).toBe(path)
  expect(screen.queryByRole('link', { name: 'Prihlásiť sa' })).toBeNull()
})
