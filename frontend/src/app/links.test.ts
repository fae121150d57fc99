import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { expectNavigation, linkTarget } from './links.ts'

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

describe('before a click', () => {
  const isPage = (pathname: string) => pathname !== '/rss'
  const begin = () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    document.body.innerHTML = '<a id="page" href="/17/most"><span>x</span></a><a id="feed" href="/rss">x</a><a id="place" href="/#content">x</a><p>x</p>'
    const prepare = vi.fn<() => Promise<void>>(() => Promise.resolve())
    expectNavigation(window, isPage, prepare)
    const sign = async (type: string, selector: string) => {
      document.querySelector(selector)?.dispatchEvent(new Event(type, { bubbles: true }))
      await vi.advanceTimersByTimeAsync(0)
      return prepare.mock.calls.length
    }
    return { prepare, sign }
  }

  test.each(['pointerover', 'pointerdown', 'touchstart', 'focusin'])('%s on a link of the app fetches the engine, once', async (type) => {
    const { sign } = begin()
    expect(await sign(type, '#feed')).toBe(0)
    expect(await sign(type, '#place')).toBe(0)
    expect(await sign(type, 'p')).toBe(0)
    expect(await sign(type, '#page span')).toBe(1)
    expect(await sign(type, '#page')).toBe(1)
  })

  test('so does a search field', async () => {
    const { sign } = begin()
    document.querySelector('p')!.innerHTML = '<form role="search"><input></form>'
    expect(await sign('focusin', 'p')).toBe(0)
    expect(await sign('focusin', 'input')).toBe(1)
  })

  test('an engine that could not be had is asked for again at the next sign', async () => {
    const { prepare, sign } = begin()
    prepare.mockRejectedValueOnce(new Error('404'))
    expect(await sign('pointerover', '#page')).toBe(1)
    expect(await sign('pointerover', '#page')).toBe(2)
    expect(await sign('pointerover', '#page')).toBe(2)
  })

  test('it comes without a sign when the page has been there for a while and nothing is to do', async () => {
    const idle = vi.fn<(callback: () => void) => number>()
    vi.stubGlobal('requestIdleCallback', idle)
    const { prepare } = begin()
    await vi.advanceTimersByTimeAsync(3999)
    expect(idle).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(prepare).not.toHaveBeenCalled()
    idle.mock.calls[0]![0]()
    expect(prepare).toHaveBeenCalledTimes(1)
  })
})
