import { beforeEach, describe, expect, test } from 'vitest'
import { embedOf, openEmbeds } from './player.ts'

test.each([
  ['https://www.youtube.com/watch?v=abcdefghijk', 'abcdefghijk'],
  ['https://m.youtube.com/watch?list=x&v=abcdefghijk&t=3', 'abcdefghijk'],
  ['https://youtu.be/abc_efg-ijk?t=3', 'abc_efg-ijk'],
  ['https://www.youtube.com/shorts/abcdefghijk', 'abcdefghijk'],
  ['https://www.youtube-nocookie.com/embed/abcdefghijk', 'abcdefghijk'],
])('%s plays', (href, id) => {
  expect(embedOf(href, true)).toEqual({ kind: 'film', address: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1` })
  expect(embedOf(href, false)?.address, 'nothing plays by itself').not.toContain('autoplay')
})

test.each(['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'])('%s plays without tracking', (href) => {
  expect(embedOf(href, true)).toEqual({ kind: 'film', address: 'https://player.vimeo.com/video/76979871?dnt=1&autoplay=1' })
  expect(embedOf(href, false)?.address).toBe('https://player.vimeo.com/video/76979871?dnt=1')
})

test.each(['https://x.com/i/status/1234567', 'https://twitter.com/somebody/status/1234567?s=20', 'https://x.com/i/web/status/1234567'])('%s is a post', (href) => {
  expect(embedOf(href, true)).toEqual({ kind: 'post', address: 'https://platform.twitter.com/embed/Tweet.html?id=1234567&dnt=true' })
})

test.each([
  'https://x.com/somebody', 'https://youtube.com.example/watch?v=abcdefghijk', 'http://youtu.be/abcdefghijk', 'https://www.youtube.com/watch?v=abcdefghijkl',
  'https://vimeo.com.example/76979871', 'https://vimeo.com/about', 'https://x.com.example/i/status/1234567', 'javascript:alert(1)',
])('%s stays a link', (href) => {
  expect(embedOf(href, true)).toBeNull()
})

describe('the placeholders of a text', () => {
  const frames = () => [...document.querySelectorAll('iframe')]
  const link = (words: string) => [...document.querySelectorAll('a')].find((one) => one.textContent === words)!
  beforeEach(() => {
    document.body.innerHTML = `
      <figure data-embed="youtube"><a href="https://youtu.be/abcdefghijk">Film</a></figure>
      <figure class="wp-block-embed"><a href="https://x.com/i/status/1234567">Post</a></figure>
      <figure data-embed="spotify"><a href="https://open.spotify.com/track/abcdefghijkl">Track</a></figure>
      <p><a href="https://youtu.be/abcdefghijk">In a sentence</a></p>`
  })

  test('load nothing before a click', () => {
    openEmbeds(document.body, false)
    expect(frames()).toEqual([])
  })
  test('become what was clicked, with its name and the focus; the others stay', () => {
    const end = openEmbeds(document.body, false)
    link('Film').click()
    expect(frames().map((frame) => [frame.title, frame.src])).toEqual([['Film', 'https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1']])
    expect(document.activeElement).toBe(frames()[0])
    end()
  })
  test('a click with a key is left to the browser, and so is a link in a sentence', () => {
    const end = openEmbeds(document.body, false)
    const stay = (event: Event) => event.preventDefault() // this window goes nowhere
    window.addEventListener('click', stay)
    link('Film').dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }))
    link('In a sentence').click()
    window.removeEventListener('click', stay)
    expect(frames()).toEqual([])
    end()
  })
  test('are all open for who has agreed, playing nothing, and without moving the focus', () => {
    const end = openEmbeds(document.body, true)
    expect(frames().map((frame) => frame.dataset.kind)).toEqual(['film', 'post'])
    expect(frames().every((frame) => frame.loading === 'lazy' && !frame.src.includes('autoplay'))).toBe(true)
    expect(document.activeElement).toBe(document.body)
    expect(link('Track')).toBeTruthy()
    end()
  })
})
