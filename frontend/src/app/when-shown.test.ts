import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { whenShown } from './when-shown.ts'

let ready: DocumentReadyState
let hidden: boolean

beforeEach(() => {
  vi.useFakeTimers()
  ready = 'interactive'
  hidden = false
  vi.spyOn(document, 'readyState', 'get').mockImplementation(() => ready)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const waiting = () => {
  const shown = vi.fn()
  void whenShown(window).then(shown)
  return shown
}
const load = () => {
  ready = 'complete'
  window.dispatchEvent(new Event('load'))
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('the app waits', () => {
  test('for the page with its pictures, and for the frame that paints them', async () => {
    const shown = waiting()
    await pass(3000)
    expect(shown).not.toHaveBeenCalled()
    load()
    await Promise.resolve()
    expect(shown).not.toHaveBeenCalled()
    await pass(50)
    expect(shown).toHaveBeenCalledOnce()
  })

  test('for the browser to say that it has painted', async () => {
    let painted = () => {}
    class Painting {
      static supportedEntryTypes = ['paint']
      constructor(callback: () => void) {
        painted = callback
      }
      observe = vi.fn()
    }
    vi.stubGlobal('PerformanceObserver', Painting)
    const shown = waiting()
    load()
    await pass(50)
    expect(shown).not.toHaveBeenCalled()
    painted()
    await pass(0)
    expect(shown).toHaveBeenCalledOnce()
  })

  test('for no load that has been', async () => {
    ready = 'complete'
    const shown = waiting()
    await pass(50)
    expect(shown).toHaveBeenCalledOnce()
  })

  test('for no frame in the background', async () => {
    hidden = true
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation(() => 0)
    const shown = waiting()
    load()
    await pass(0)
    expect(shown).toHaveBeenCalledOnce()
  })

  test('no longer than four seconds for a picture', async () => {
    const shown = waiting()
    await pass(3999)
    expect(shown).not.toHaveBeenCalled()
    await pass(1)
    expect(shown).toHaveBeenCalledOnce()
  })

  test.each(['pointerdown', 'keydown'])('no longer when there is a %s', async (input) => {
    const shown = waiting()
    document.body.dispatchEvent(new Event(input, { bubbles: true }))
    await pass(0)
    expect(shown).toHaveBeenCalledOnce()
  })
})
