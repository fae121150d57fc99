import type { Page } from '@playwright/test'

/**
 * What is wrong with how text stands on the page as it is now: a page wider than the window, lines that are cut off at the
 * edge of a box, and lines that lie over those of another element.
 */
export const flaws = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Line {
      box: DOMRect
      of: Element
      text: string
    }
    const found: string[] = []
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide > 0) found.push(`${wide} px wider than the window`)
    const describe = (one: Element, text: string) => `${one.tagName.toLowerCase()}.${one.className.toString().slice(0, 40)} "${text.trim().slice(0, 40)}"`
    const clips = (value: string) => value === 'hidden' || value === 'clip'
    const scrolls = (value: string) => value === 'auto' || value === 'scroll'

    /** Whether a line of an element is seen; says what cuts it. */
    const seen = (line: Line): boolean => {
      for (let at: Element | null = line.of; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at)
        if (style.opacity === '0' || style.position === 'fixed' || at.hasAttribute('inert')) return false
        if (style.clipPath !== 'none' || style.clip !== 'auto') return false // for screen readers alone
        const box = at.getBoundingClientRect()
        const beside = line.box.right > box.right + 1 || line.box.left < box.left - 1
        const below = line.box.bottom > box.bottom + line.box.height * 0.3 || line.box.top < box.top - line.box.height * 0.3
        if (scrolls(style.overflowX) || scrolls(style.overflowY)) {
          if (beside || below) return false // it is reached by scrolling
        } else if (clips(style.overflowX) && beside) {
          if (box.width > 2 && style.textOverflow !== 'ellipsis' && line.box.left < box.right && line.box.right > box.left) found.push(`cut: ${describe(line.of, line.text)}`)
          return false
        } else if (clips(style.overflowY) && below) {
          if (box.height > 2 && style.webkitLineClamp === 'none' && line.box.top < box.bottom && line.box.bottom > box.top) found.push(`cut below: ${describe(line.of, line.text)}`)
          return false
        }
      }
      return true
    }

    const lines: Line[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const of = node.parentElement
      const text = node.textContent ?? ''
      if (!of || !text.trim() || of.closest('script, style, noscript, svg, select, textarea, template')) continue
      if (!of.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      range.selectNodeContents(node)
      for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) lines.push({ box, of, text })
    }
    const shown = lines.filter(seen).sort((a, b) => a.box.top - b.box.top)
    shown.forEach((one, index) => {
      for (let next = index + 1; next < shown.length; next++) {
        const other = shown[next]
        if (!other || other.box.top >= one.box.bottom) break
        if (other.of === one.of || other.of.contains(one.of) || one.of.contains(other.of)) continue
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top
        // The boxes of glyphs are higher than tight lines are.
        if (across > 2 && down > 0.4 * Math.min(one.box.height, other.box.height)) found.push(`over each other: ${describe(one.of, one.text)} and ${describe(other.of, other.text)}`)
      }
    })
    return [...new Set(found)]
  })

/** Makes every text of the page half again as long, words without a space as well, as other languages and editors do. */
export const lengthen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      if (!/\p{L}{2}/u.test(text) || node.parentElement?.closest('script, style, noscript, svg, template, [translate=no]')) continue
      const words = text.trim()
      node.textContent = text.replace(words, words + (words.includes(' ') ? ' ' : '') + words.slice(0, Math.ceil(words.length / 2)).trim())
    }
  })
