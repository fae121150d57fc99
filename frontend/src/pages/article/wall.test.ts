import { expect, test } from 'vitest'
import { wallOf } from './wall.ts'

test.each([
  ['login', 3, 'login'],
  ['login', 0, 'subscribers'], // a login would open nothing
  ['limit', 3, 'limit'],
  ['limit', 1, 'limit'],
  ['limit', 0, 'subscribers'],
  ['subscribers', 3, 'subscribers'],
  [undefined, 3, 'subscribers'], // nothing is known: nothing is promised
] as const)('a text that is withheld for the reason %s, with %d free ones, says %s', (reason, free, says) => expect(wallOf(reason as never, free)).toBe(says))
