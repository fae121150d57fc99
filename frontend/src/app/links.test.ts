import { afterEach, describe, expect, test } from 'vitest'
import { linkTarget } from './links.ts'

afterEach(() => {
  document.body.innerHTML = ''
})

/** Where a click on the inside of `<a …>` leads within the app. */
function click(attributes: string, init: MouseEventInit = {}): string | null {
  document.body.innerHTML = `<a ${attributes}><span>x</span></a>`
  let target: URL | null = null
  // In the capturing phase, because this window follows links before the event has bubbled.
  const onClick = (event: MouseEvent) => {
    target = linkTarget(event, (pathname) => pathname !== '/rss')
    event.preventDefault()
  }
  document.addEventListener('click', onClick, { capture: true, once: true })
  document.querySelector('span')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, button: 0, ...init }))
  return target && String(target)
}

describe('a click on a link', () => {
  test('of the app becomes a navigation', () => {
    expect(click('href="/17/most?a=1#b"')).toBe('https://north.example/17/most?a=1#b')
    expect(click('href="/17/most" target="_self"')).toBe('https://north.example/17/most')
  })

  test('to the same page without a place in it loads it anew', () => {
    expect(click('href="/"')).toBe('https://north.example/')
  })

  test.each([
    ['to another site', 'href="https://other.example/"', {}],
    ['to what is no page', 'href="/rss"', {}],
    ['into another tab', 'href="/x" target="_blank"', {}],
    ['of a download', 'href="/x" download', {}],
    ['that asks for it', 'href="/x" data-native', {}],
    ['with Ctrl', 'href="/x"', { ctrlKey: true }],
    ['with Shift', 'href="/x"', { shiftKey: true }],
    ['with the middle button', 'href="/x"', { button: 1 }],
    ['to a place in the page', 'href="/#content"', {}],
    ['without an address', '', {}],
  ])('%s stays with the browser', (_, attributes, init) => {
    expect(click(attributes, init)).toBeNull()
  })
})
