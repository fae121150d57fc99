import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { asSafeHtml } from '../api/html.ts'
import { render } from '../test/render.tsx'
import { Button } from './button.tsx'
import { CodeInput } from './code-input.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { imageAttributes } from './picture-roles.ts'
import { Prose } from './prose.tsx'
import { Toast } from './toast.tsx'

describe('the code boxes', () => {
  const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox')
  const values = () => boxes().map((box) => box.value).join('')

  test('typing goes forward, and the sixth digit completes it once', async () => {
    const onComplete = vi.fn()
    const { user, container } = render(<CodeInput label="Kód" onComplete={onComplete} />)
    await user.click(boxes()[0]!)
    await user.keyboard('12a3456')
    expect(values()).toBe('123456')
    expect(onComplete).toHaveBeenCalledExactlyOnceWith('123456')
    expect(container.querySelector<HTMLInputElement>('input[name=code]')?.value).toBe('123456')
  })

  test('Backspace on an empty box goes back and clears', async () => {
    const { user } = render(<CodeInput label="Kód" />)
    await user.click(boxes()[0]!)
    await user.keyboard('12{Backspace}')
    expect(values()).toBe('1')
    expect(document.activeElement).toBe(boxes()[1])
  })

  test.each([
    ['digits with other signs', 'kód 123-456!', '123456'],
    ['more than six digits', '12345678', '123456'],
    ['fewer than six', '12345', ''],
  ])('pasting %s', async (_, text, wanted) => {
    const { user } = render(<CodeInput label="Kód" />)
    await user.click(boxes()[3]!)
    await user.paste(text)
    expect(values()).toBe(wanted)
  })

  test('a code filled in by the device lands in all boxes', () => {
    const onComplete = vi.fn()
    render(<CodeInput label="Kód" onComplete={onComplete} />)
    expect(boxes()[0]?.autocomplete).toBe('one-time-code')
    fireEvent.change(boxes()[0]!, { target: { value: '654321' } })
    expect(values()).toBe('654321')
    expect(onComplete).toHaveBeenCalledExactlyOnceWith('654321')
  })

  test('an incomplete code is not sent, and an error is an alert', () => {
    const { container } = render(<CodeInput label="Kód" error="Nesprávny kód" />)
    expect(container.querySelector('input[name=code]')).toBeNull()
    expect(screen.getByRole('alert').textContent).toBe('Nesprávny kód')
    expect(boxes()[0]?.getAttribute('aria-label')).toBe('Číslica 1 z 6')
  })
})

describe('the toast', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  test('goes after five seconds', async () => {
    const onClose = vi.fn()
    render(<Toast kind="success" closeLabel="x" onClose={onClose}>Hotovo</Toast>)
    await pass(4900)
    expect(onClose).not.toHaveBeenCalled()
    await pass(400)
    expect(onClose).toHaveBeenCalledOnce()
  })

  test('stays while somebody points at it', async () => {
    const onClose = vi.fn()
    render(<Toast kind="error" closeLabel="x" onClose={onClose}>Chyba</Toast>)
    fireEvent.mouseEnter(screen.getByText('Chyba').parentElement!)
    await pass(20_000)
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.mouseLeave(screen.getByText('Chyba').parentElement!)
    await pass(5300)
    expect(onClose).toHaveBeenCalledOnce()
    expect(screen.getByRole('alert').textContent).toBe('Chyba')
  })
})

test('a field says what is wrong where it is described', () => {
  render(<Field label="E-mail" type="email" error="Zle" />)
  const input = screen.getByLabelText('E-mail')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(input.getAttribute('aria-describedby')!)?.textContent).toBe('Zle')
})

test('a busy button takes no click', async () => {
  const onClick = vi.fn()
  const { user } = render(<Button busy onClick={onClick}>Moment</Button>)
  await user.click(screen.getByRole('button'))
  expect(onClick).not.toHaveBeenCalled()
})

test('a dialog has a name and closes by its button and its backdrop', async () => {
  const onClose = vi.fn()
  const { user } = render(<Dialog title="Zdieľať" onClose={onClose}>obsah</Dialog>)
  const dialog = screen.getByRole('dialog', { name: 'Zdieľať' })
  await user.click(screen.getByRole('button', { name: 'Zavrieť' }))
  fireEvent.click(dialog)
  expect(onClose).toHaveBeenCalledTimes(2)
  fireEvent.click(screen.getByText('obsah'))
  expect(onClose).toHaveBeenCalledTimes(2)
})

describe('prose', () => {
  test('shows the HTML it is given', () => {
    const { container } = render(<Prose name="article-1" html={asSafeHtml('<p>Text</p>')} />)
    expect(container.querySelector('[data-prose] p')?.textContent).toBe('Text')
  })

  test('without any, keeps what the page came with', () => {
    document.body.insertAdjacentHTML('beforeend', '<div data-prose="article-2"><p>Zo servera</p></div>')
    const { container } = render(<Prose name="article-2" html={asSafeHtml('')} />)
    expect(container.querySelector('p')?.textContent).toBe('Zo servera')
  })
})

describe('pictures', () => {
  const picture = { id: 'most a', width: 1600, height: 1000 }
  test('a role fixes shape and candidates, up to twice the slot', () => {
    const thumb = imageAttributes(picture, 'thumb')
    expect(thumb).toMatchObject({ src: '/img/most%20a?w=160&r=1x1', width: 160, height: 160, sizes: '112px' })
    expect(thumb.srcSet).toBe('/img/most%20a?w=160&r=1x1 160w, /img/most%20a?w=240&r=1x1 240w')
    expect(imageAttributes(picture, 'lead')).toMatchObject({ width: 1280, height: 720 })
  })
  test('in an article a picture is 16:9', () => {
    expect(imageAttributes(picture, 'article')).toMatchObject({ width: 1280, height: 720 })
  })
})
