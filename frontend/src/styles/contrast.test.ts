import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

// Tokens are pairs: light-dark(#light, #dark).
const css = ['tokens.css', 'themes/sk.css', 'themes/at.css', 'themes/ch.css'].map((file) => [file, fs.readFileSync(path.join(import.meta.dirname, file), 'utf8')] as const)
const pairs = (text: string) => Object.fromEntries([...text.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name, light, dark]) => [name, { light, dark }] as const))
const tokens = pairs(css[0]![1])

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1)
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => channel(parseInt(digits.slice(at, at + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const colour = (name: string, from: ReturnType<typeof pairs> = tokens) => from[name]?.[scheme] as string

  test.each(['ink', 'ink-2', 'meta', 'opinion', 'premium', 'error', 'success'])('%s is readable on paper and tint', (name) => {
    expect(contrast(colour(name), colour('paper'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour(name), colour('tint'))).toBeGreaterThanOrEqual(4.5)
  })

  test('the focus ring stands out', () => {
    expect(contrast(colour('focus'), colour('paper'))).toBeGreaterThanOrEqual(3)
  })

  test.each(css.slice(1).map(([file, text]) => [file, pairs(text)] as const))('%s: the accent as text and as a button', (_, theme) => {
    for (const name of ['accent', 'accent-strong']) {
      expect(contrast(colour(name, theme), colour('paper'))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colour(name, theme), colour('tint'))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colour('on-accent'), colour(name, theme))).toBeGreaterThanOrEqual(4.5)
    }
  })
})
