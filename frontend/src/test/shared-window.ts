import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { DetachedWindowAPI } from 'happy-dom'
import { vi } from 'vitest'

type Method = (...args: unknown[]) => unknown

/** Records the calls of a method from now on; the function that it returns undoes them. */
function recordCalls<Name extends string>(owner: Record<Name, unknown>, name: Name, undo: (args: unknown[], result: unknown) => void): () => void {
  const original = owner[name] as Method
  const calls: [args: unknown[], result: unknown][] = []
  owner[name] = new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const result: unknown = Reflect.apply(target, self, args)
      calls.push([args, result])
      return result
    },
  })
  return () => {
    owner[name] = original
    for (const [args, result] of calls) undo(args, result)
  }
}

const recordListeners = (target: Window | Document) => recordCalls(target, 'addEventListener', (args) => (target.removeEventListener as Method)(...args))
const recordTimers = (name: 'setTimeout' | 'setInterval') => recordCalls(globalThis, name, (_, timer) => clearTimeout(timer as number))

/** Records which properties an object has; the function that it returns deletes those added since. */
function recordProperties(object: object): () => void {
  const before = new Set(Object.getOwnPropertyNames(object))
  return () => {
    for (const name of Object.getOwnPropertyNames(object)) if (!before.has(name)) Reflect.deleteProperty(object, name)
  }
}

function emptyDocument() {
  for (const element of [document.documentElement, document.head, document.body]) for (const name of element.getAttributeNames()) element.removeAttribute(name)
  document.head.replaceChildren()
  document.body.replaceChildren()
  window.getSelection()?.removeAllRanges()
}

function resetAddress(href: string) {
  // Not by the history, which leads to no other site: a test may have followed a link to one.
  const { happyDOM } = globalThis as unknown as { happyDOM: DetachedWindowAPI }
  happyDOM.setURL(href)
  window.history.replaceState(null, '')
  window.history.scrollRestoration = 'auto'
  window.scrollTo(0, 0)
}

function clearStorage() {
  window.localStorage.clear()
  window.sessionStorage.clear()
  for (const cookie of document.cookie.split('; ').filter(Boolean)) document.cookie = `${cookie.split('=')[0]}=; Max-Age=0; Path=/`
}

/** Test files share a window, one after another. Call it before a file; the function that it returns removes what the file leaves there. */
export function shareWindow(): () => Promise<void> {
  const restoreNavigator = recordProperties(navigator)
  // These listen to the document from their first use on, and only once for all files: that comes before the recording.
  userEvent.setup()
  render(null)
  cleanup()
  restoreNavigator() // the first has a clipboard of its own
  const { href } = window.location
  const undo = [recordListeners(window), recordListeners(document), recordTimers('setTimeout'), recordTimers('setInterval'), recordProperties(document), restoreNavigator]
  return async () => {
    vi.useRealTimers()
    await vi.dynamicImportSettled()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    for (const each of undo) each()
    emptyDocument()
    resetAddress(href)
    clearStorage()
  }
}
