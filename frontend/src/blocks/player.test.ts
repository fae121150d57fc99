import { expect, test } from 'vitest'
import { play, playerAddress } from './player.ts'

test.each([
  ['https://www.youtube.com/watch?v=abcdefghijk', 'abcdefghijk'],
  ['https://m.youtube.com/watch?list=x&v=abcdefghijk&t=3', 'abcdefghijk'],
  ['https://youtu.be/abc_efg-ijk?t=3', 'abc_efg-ijk'],
  ['https://www.youtube.com/shorts/abcdefghijk', 'abcdefghijk'],
  ['https://www.youtube-nocookie.com/embed/abcdefghijk', 'abcdefghijk'],
])('%s plays', (href, id) => {
  expect(playerAddress(href)).toBe(`https://www.youtube-nocookie.com/embed/${id}?autoplay=1`)
})

test.each(['https://x.com/somebody/status/1', 'https://youtube.com.example/watch?v=abcdefghijk', 'http://youtu.be/abcdefghijk', 'https://www.youtube.com/watch?v=abcdefghijkl', 'javascript:alert(1)'])('%s stays a link', (href) => {
  expect(playerAddress(href)).toBeNull()
})

test('the player takes the place of the link and says what it plays', () => {
  document.body.innerHTML = '<figure><a href="https://youtu.be/abcdefghijk">Tlačová beseda</a></figure>'
  play(document.querySelector('a')!, '')
  expect(document.querySelector('a')).toBeNull()
  expect(document.querySelector('iframe')?.title).toBe('Tlačová beseda')
})
