import fs from 'node:fs'
import path from 'node:path'
import { screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SaleData } from '../api/content.ts'
import { api } from '../api/client.ts'
import { nameReader } from '../api/named-reader.ts'
import { CommentName } from '../pages/account/focus/comment-name.tsx'
import { ChangeEmail } from '../pages/account/profile/change-email.tsx'
import { Page } from '../pages/account/sale/sale.page.tsx'
import { Page as Discussion } from '../pages/discussion/discussion.page.tsx'
import { Page as Newsletters } from '../pages/newsletter/newsletter.page.tsx'
import { answerCalls } from '../test/calls.ts'
import { makePage, makeReader, render, serverHTML } from '../test/render.tsx'
import { keepTyped } from './lost-session.tsx'

const form = (fields: string) => {
  document.body.innerHTML = `<form action="/fns/x">${fields}</form>`
  return document.querySelector('form') as HTMLFormElement
}
const kept = () => JSON.parse(sessionStorage.getItem('typed') ?? 'null') as { reader: number; values: [string, string][] } | null

beforeEach(() => sessionStorage.clear())

describe('what was typed into a form whose session is over', () => {
  test('is kept for its reader, without what the page itself had put in', () => {
    keepTyped(form('<input name="line1" value="Uferweg 3"><input type="hidden" name="user_id" value="7"><textarea name="text">Áno</textarea><input type="radio" name="kind" value="a" checked><input type="radio" name="kind" value="b">'), 7)
    expect(kept()).toMatchObject({ reader: 7, values: [['line1', 'Uferweg 3'], ['text', 'Áno'], ['kind', 'a']] })
  })
  test('is not kept where nobody is named', () => {
    keepTyped(form('<input name="line1" value="Uferweg 3">'), undefined)
    expect(kept()).toBeNull()
  })
})

test('a code that was typed stays, and the login leads back', async () => {
  answerCalls({ '/fns/stripe-quest-payment': [[401, { success: false, error: 'INVALID_TOKEN' }]] })
  const data: SaleData = { step: 'coupon', signedIn: true, referrer: '/', products: [], trial: 0, coupon: { wish: '', product: '' } }
  const { user } = render(<Page page={makePage<SaleData>(data, { route: 'sale', url: '/account/coupon' })} />, { url: '/account/coupon', session: makeReader() })
  const code = document.querySelector('[name=coupon_code]') as HTMLInputElement
  await user.type(code, 'K7QF-2MXD{Enter}')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Ste odhlásení'))
  expect(code.value).toBe('K7QF-2MXD')
  expect(screen.getByRole('alert').querySelector('a')?.getAttribute('href')).toBe('/account/login?referrer=%2Faccount%2Fcoupon')
})

describe('what was typed into a plain form whose session was over stands in it after the login', () => {
  const comment = { id: 3, name: 'Anna', text: 'starý', state: 'shown' as const, date: '2026-11-22T10:00:00Z', likes: 0, mine: true, editable: true }
  const data = (open?: 'edit' | 'report' | 'reply', name = 'Jana') => ({
    post: { id: 5, title: 'Rozpočet', url: '/5/rozpocet' },
    count: 1,
    threads: [{ ...comment, mine: open !== 'report', replies: [] }],
    viewer: { state: 'writer' as const, name },
    ...(open ? { open: { form: open, comment: 3 } } : {}),
  })
  const discussion = (open?: 'edit' | 'report' | 'reply', name?: string) => <Discussion page={makePage(data(open, name), { route: 'discussion', url: '/discussion/comment-5' })} />
  const lists = ['morning', 'topic'].map((id) => ({ id, name: id, schedule: '', description: '', chosen: false }))
  test.each<[string, ReactElement, string, Record<string, string[]>, string]>([
    ['a comment', discussion(), '/api/discussion/5', { text: ['Dlhý komentár'], parent: ['0'] }, '>Dlhý komentár</textarea>'],
    ['an answer', discussion('reply'), '/api/discussion/5', { text: ['Odpoveď'], parent: ['3'] }, '>Odpoveď</textarea>'],
    ['a changed comment', discussion('edit'), '/api/comment/3/edit', { text: ['nový'] }, '>nový</textarea>'],
    ['a report', discussion('report'), '/api/comment/3/report', { reason: ['hate'], note: ['Pozrite'] }, 'value="Pozrite"'],
    ['the reason of a report', discussion('report'), '/api/comment/3/report', { reason: ['hate'], note: [] }, 'name="reason" checked="" value="hate"'],
    ['a name in a discussion', discussion(undefined, ''), '/fns/user-comment-name', { comment_name: ['Jana.N'] }, 'value="Jana.N"'],
    ['a name', <CommentName key="" value="Stará" url="/account/focus" />, '/fns/user-comment-name', { comment_name: ['Jana.N'] }, 'value="Jana.N"'],
    ['an address', <ChangeEmail key="" />, '/fns/user-email', { email: ['nova@north.example'] }, 'value="nova@north.example"'],
    ['newsletters', <Newsletters key="" page={makePage({ lists, signedIn: true })} />, '/fns/newsletters/subscribe', { lists: ['topic'] }, 'checked="" value="topic"'],
  ])('%s', (_, ui, form, values, want) => {
    const page = makePage({}, { reader: 7, unsent: { form, values } })
    const html = (of: Partial<typeof page>) => serverHTML(ui, { page: makePage({}, of), session: makeReader() }).replace(/ (id|class|aria-[a-z]+|type)="[^"]*"/g, '')
    expect(html(page)).toContain(want)
    expect(html(page)).toContain('name="user_id" value="7"')
    expect(html({ reader: 7 })).not.toContain(want)
    expect(html({ reader: 7, unsent: { form: '/fns/other', values } })).not.toContain(want)
  })
})

test('every call names the account of its page, unless it names one itself', async () => {
  const calls = answerCalls({ '/fns/user-email': [[200, { success: true }]], '/fns/update-user-metadata': [[200, { success: true }]], '/fns/passkeys/decline': [[200, { success: true }]] })
  nameReader(7)
  await api.POST('/fns/user-email', { body: { email: 'a@north.example' } })
  await api.POST('/fns/update-user-metadata', { body: { metadata: [], user_id: 8 } })
  nameReader(undefined)
  await api.POST('/fns/passkeys/decline', { body: {} })
  expect(calls.map(({ body }) => body)).toEqual([{ user_id: 7, email: 'a@north.example' }, { user_id: 8, metadata: [] }, {}])
})

/** Forms that no reader's account is needed for. */
const forVisitors = [
  '/api/login-approval', '/api/login-code-validation', '/api/logout', '/api/security-login', '/api/set-gdpr-consent-cookie', '/fns/forgotten-email', '/fns/gift-payment', '/fns/user-login', '/fns/withdrawal', '/fns/withdrawal-confirm',
]

test('every plain form of a reader names the account of its page', () => {
  const pages = path.join(import.meta.dirname, '../pages')
  const forms = (fs.readdirSync(pages, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .flatMap((name) => [...fs.readFileSync(path.join(pages, name), 'utf8').matchAll(/<form[^]*?<\/form>/g)].map(([text]) => ({ name, text })))
    // A form with the token of a link needs no session, and the notice is there for scripts alone.
    .filter(({ name, text }) => text.includes('method="post"') && !text.includes('name="token"') && name !== 'account/notice.tsx' && !forVisitors.some((call) => text.includes(`"${call}"`)))
  expect(forms.length).toBeGreaterThan(15)
  expect(forms.filter(({ text }) => !text.includes('<NamedReader />')).map(({ name, text }) => `${name}: ${text.split('\n')[0]}`)).toEqual([])
})
