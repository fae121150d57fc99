import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { render } from '../test/render.tsx'
import { Scroller } from './scroller.tsx'

const show = (over: { step?: number; keep?: string } = {}) =>
  render(
    <Scroller label="Rad" {...over}>
      <li>
        <a href="/1">Prvý</a>
      </li>
    </Scroller>,
  )
const row = () => screen.getByRole('list', { name: 'Rad' })

describe('the arrows of a row', () => {
  const press = (which: 0 | 1, over = {}, still = false) => {
    vi.stubGlobal('matchMedia', () => ({ matches: still }))
    show(over)
    const scrollBy = vi.fn()
    row().scrollBy = scrollBy
    fireEvent.click(row().parentElement!.querySelectorAll('button')[which]!)
    return scrollBy
  }

  test('move by 300 pixels, unless told', () => {
    expect(press(1)).toHaveBeenCalledExactlyOnceWith({ left: 300, behavior: 'smooth' })
  })
  test('go back as far as on', () => {
    expect(press(0, { step: 245 })).toHaveBeenCalledExactlyOnceWith({ left: -245, behavior: 'smooth' })
  })
  test('jump for readers who want less motion', () => {
    expect(press(1, {}, true)).toHaveBeenCalledExactlyOnceWith({ left: 300, behavior: 'auto' })
  })
})

describe('the place of a row', () => {
  test('is kept under its name while the reader is elsewhere; it starts at nought', () => {
    const first = show({ keep: 'short news' })
    expect(row().scrollLeft).toBe(0)
    row().scrollLeft = 604
    fireEvent.scroll(row())
    first.unmount()
    show({ keep: 'short news' })
    expect(row().scrollLeft).toBe(604)
  })
  test('is that row’s alone', () => {
    show({ keep: 'another' })
    expect(row().scrollLeft).toBe(0)
  })
})

test('a row with nothing to focus can be focused itself, or keys could not scroll it', () => {
  render(
    <Scroller label="Rad">
      <li>Slová</li>
    </Scroller>,
  )
  expect(row().tabIndex).toBe(0)
})
