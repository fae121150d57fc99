import { beforeEach, expect, test, vi } from 'vitest'
import { enframe } from './discussion-frame.ts'

let frame: HTMLIFrameElement
let place = { height: 320, bottom: 900 }

/** A word from the page in the frame, or from another. */
const say = (data: unknown, { origin = window.location.origin, source = frame.contentWindow as Window | null } = {}) =>
  window.dispatchEvent(new MessageEvent('message', { data, origin, source }))

beforeEach(() => {
  document.body.innerHTML = '<p><a id="discussion" href="/discussion/comment-7">Diskusia</a></p>'
  place = { height: 320, bottom: 900 }
  vi.stubGlobal('innerHeight', 800)
  enframe(document.querySelector('a'))
  frame = document.querySelector('iframe')!
  frame.getBoundingClientRect = () => ({ ...new DOMRect(), ...place }) as DOMRect
})

test('the frame takes the place and the name of the link, and stays off paper', () => {
  expect(new URL(frame.src).pathname).toBe('/discussion/comment-7')
  expect(frame.title).toBe('Diskusia')
  expect(document.getElementById('discussion')).toBe(frame)
  expect(document.querySelector('a')?.hidden).toBe(true)
  expect(frame.dataset.print).toBe('hide')
  expect(frame.style.display).toBe('')
})

test('it has no sandbox: one that a page of our own could leave protects nothing, and browsers warn of it', () => {
  expect(frame.hasAttribute('sandbox')).toBe(false)
})

test('it is as wide as its style says, whatever holds for other frames', () => {
  expect(frame.style.maxInlineSize).toBe('none')
})

test('a name of its own comes before the words of the link', () => {
  document.body.innerHTML = '<p><a href="/discussion/comment-7" title="Diskusia k správe">Otvoriť</a></p>'
  enframe(document.querySelector('a'))
  expect(document.querySelector('iframe')?.title).toBe('Diskusia k správe')
})

test('it shrinks too, where nobody sees it', () => {
  say({ discussion: 1200 })
  say({ discussion: 400 })
  expect(frame.style.blockSize).toBe('400px')
  place.bottom = 700
  say({ discussion: 300 })
  expect(frame.style.blockSize).toBe('400px')
})

test('it fits again when the window was turned, wherever its end is', () => {
  say({ discussion: 1200 })
  place.bottom = 700
  window.dispatchEvent(new Event('resize'))
  say({ discussion: 900 })
  expect(frame.style.blockSize).toBe('900px')
  say({ discussion: 300 })
  expect(frame.style.blockSize).toBe('900px')
})

test('it grows while its end is below the window', () => {
  say({ discussion: 1200 })
  expect(frame.style.blockSize).toBe('1200px')
})

test('what is seen below it does not move, until the reader scrolls on', () => {
  place.bottom = 700
  say({ discussion: 1200 })
  expect(frame.style.blockSize).toBe('20rem')
  place.bottom = 801
  window.dispatchEvent(new Event('scroll'))
  expect(frame.style.blockSize).toBe('1200px')
})

test('it grows at once for the reader who writes in it', () => {
  place.bottom = 700
  frame.tabIndex = 0
  frame.focus()
  say({ discussion: 500 })
  expect(frame.style.blockSize).toBe('500px')
})

test('it grows when the reader goes into it', () => {
  place.bottom = 700
  say({ discussion: 500 })
  expect(frame.style.blockSize).toBe('20rem')
  frame.tabIndex = 0
  frame.focus()
  window.dispatchEvent(new Event('blur'))
  expect(frame.style.blockSize).toBe('500px')
})

test.each([
  ['another site', { discussion: 1200 }, { origin: 'https://elsewhere.example' }],
  ['another window', { discussion: 1200 }, { source: window }],
  ['no number', { discussion: '1200' }, {}],
  ['too much', { discussion: 1e9 }, {}],
  ['nothing', null, {}],
])('%s says nothing', (_, data, from) => {
  say(data, from)
  expect(frame.style.blockSize).toBe('20rem')
})

test('a link that is gone or hidden already stays as it is', () => {
  enframe(document.querySelector('a'))
  enframe(null)
  expect(document.querySelectorAll('iframe')).toHaveLength(1)
})
