import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { render } from '../test/render.tsx'
import { arrowOf } from './arrow-keys.ts'
import { swipeOf, useSwipe } from './use-swipe.ts'

test.each([
  [-191, 0, 'next'],
  [191, 0, 'previous'],
  [-190, 0, null],
  [190, 0, null],
  [-300, 120, 'next'],
  [-300, 301, null],
  [0, 0, null],
] as const)('%i to the side and %i down means %s', (dx, dy, meant) => {
  expect(swipeOf(dx, dy)).toBe(meant)
})

describe('a surface that is swiped', () => {
  function show() {
    const asked: string[] = []
    const Surface = () => <p {...useSwipe({ previous: () => asked.push('previous'), next: () => asked.push('next') })}>surface</p>
    render(<Surface />)
    const at = screen.getByText('surface')
    const down = (over: object) => fireEvent.pointerDown(at, { pointerId: 1, isPrimary: true, pointerType: 'touch', clientX: 300, clientY: 10, ...over })
    const up = (over: object) => fireEvent.pointerUp(at, { pointerId: 1, isPrimary: true, pointerType: 'touch', clientX: 100, clientY: 10, ...over })
    return { asked, at, down, up }
  }

  test('a finger to the left asks for the next, to the right for the previous', () => {
    const { asked, down, up } = show()
    down({})
    up({})
    down({ clientX: 10 })
    up({ clientX: 220 })
    expect(asked).toEqual(['next', 'previous'])
  })

  test.each([
    ['a mouse selects', { pointerType: 'mouse' }],
    ['a second finger pinches', { isPrimary: false, pointerId: 2 }],
  ])('%s', (_, over) => {
    const { asked, down, up } = show()
    down(over)
    up(over)
    expect(asked).toEqual([])
  })

  test('what the browser took for scrolling is no swipe', () => {
    const { asked, at, down, up } = show()
    down({})
    fireEvent.pointerCancel(at, { pointerId: 1 })
    up({})
    expect(asked).toEqual([])
  })
})

describe('arrow keys', () => {
  const press = (key: string, over: KeyboardEventInit = {}, html = '<p></p>') => {
    document.body.innerHTML = html
    const seen = vi.fn<(meant: ReturnType<typeof arrowOf>) => void>()
    const listen = (event: KeyboardEvent) => seen(arrowOf(event))
    document.addEventListener('keydown', listen)
    document.body.firstElementChild?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...over }))
    document.removeEventListener('keydown', listen)
    return seen.mock.calls[0]?.[0]
  }
  test.each([
    ['ArrowLeft', 'previous'],
    ['ArrowRight', 'next'],
    ['ArrowDown', null],
  ])('%s asks for %s', (key, meant) => expect(press(key)).toBe(meant))
  test.each(['<input>', '<textarea></textarea>', '<select></select>', '<video></video>', '<div contenteditable></div>', '<ul data-scroller></ul>'])('%s keeps them', (html) =>
    expect(press('ArrowRight', {}, html)).toBeNull(),
  )
  test.each([{ altKey: true }, { metaKey: true }, { ctrlKey: true }, { shiftKey: true }])('with %o they are the browser’s', (over) => expect(press('ArrowRight', over)).toBeNull())
})
