import { expect, test } from 'vitest'
import { render } from '../test/render.tsx'
import { Marked } from './marked.tsx'

test.each([
  ['Nová <mark>dráha</mark> a <mark>dráhy</mark>', 'Nová dráha a dráhy', ['dráha', 'dráhy']],
  ['Tom &amp; Jerry &lt;3 &#34;<mark>a&#x27;b</mark>&quot;', 'Tom & Jerry <3 "a\'b"', ["a'b"]],
  ['ohne Treffer', 'ohne Treffer', []],
  ['<b>x</b><img src=x onerror=alert(1)> <mark>y</mark>', 'x y', ['y']],
  ['&unbekannt; <mark>offen', '&unbekannt; offen', []],
])('%s', (html, text, marks) => {
  const { container } = render(<p><Marked html={html} /></p>)
  expect(container.textContent).toBe(text)
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(marks)
  expect(container.querySelectorAll('p > :not(mark)')).toHaveLength(0)
})
