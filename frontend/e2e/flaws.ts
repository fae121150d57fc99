import type { Page } from '@playwright/test'

/**
 * What is wrong with how text stands on the page as it is now: a page wider than the window, lines that stand out of their box
 * or are cut off at the edge of one, and lines that lie over those of another element or over a field. If longer is
 * set, every text but the paper's name is half again as long while it is measured, as in other languages: single words too.
 */
export const flaws = (page: Page, { longer = false } = {}): Promise<string[]> =>
  page.evaluate((longer) => {
    interface Line {
      box: DOMRect
      of: Element
      text: string
      /** What floats above the page, whose lines are compared with each other alone. */
      floats: Element | null
    }
    interface Edge {
      box: DOMRect
      /** What is beyond it can be scrolled to, or is left out on purpose. */
      allowed: boolean
    }
    interface Around {
      /** The box that the words fill. */
      block: DOMRect
      /** The boxes that may cut it or scroll, the nearest first. */
      edges: Edge[]
      floats: Element | null
    }
    const found = new Set<string>()
    const describe = ({ of, text }: Pick<Line, 'of' | 'text'>) => `${of.tagName.toLowerCase()}.${of.className.toString().slice(0, 40)} "${text.trim().slice(0, 40)}"`
    const texts: { node: Node; text: string }[] = []
    if (longer) {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? ''
        if (!/\p{L}{3}/u.test(text) || node.parentElement?.closest('script, style, noscript, svg, template, [data-masthead]')) continue
        const words = text.trim()
        texts.push({ node, text })
        node.textContent = text.replace(words, () => words + (words.includes(' ') ? ' ' : '') + words.slice(0, Math.ceil(words.length / 2)).trim())
      }
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) {
      const widest = [...document.body.querySelectorAll('*')].filter((one) => Math.abs(one.getBoundingClientRect().right - scrollWidth) < 1).at(-1)
      found.add(`${scrollWidth - clientWidth} px wider than the window: ${widest ? describe({ of: widest, text: widest.textContent ?? '' }) : ''}`)
    }

    const within = new Map<Element, Around | undefined>()
    /** What an element stands in; undefined if nobody sees it. What lines of one parent share is measured once. */
    const around = (element: Element | null): Around | undefined => {
      if (!element || element === document.body) return { block: document.body.getBoundingClientRect(), edges: [], floats: null }
      if (!within.has(element)) within.set(element, measure(element))
      return within.get(element)
    }
    const measure = (element: Element): Around | undefined => {
      const { clipPath, clip, display, position, overflowX, overflowY, webkitLineClamp } = getComputedStyle(element)
      if (clipPath !== 'none' || clip !== 'auto' || element.hasAttribute('inert')) return undefined // for screen readers, or under a dialog
      const outside = around(position === 'fixed' ? null : element.parentElement)
      if (!outside) return undefined
      const box = element.getBoundingClientRect()
      const allowed = webkitLineClamp !== 'none' || [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')
      return {
        block: /^(inline|contents)$/.test(display) ? outside.block : box,
        edges: overflowX !== 'visible' || overflowY !== 'visible' ? [{ box, allowed }, ...outside.edges] : outside.edges,
        floats: position === 'fixed' || position === 'sticky' ? element : outside.floats,
      }
    }

    /** Whether a line is seen; notes what cuts it. */
    const seen = (line: Line, { block, edges }: Around): boolean => {
      const { left, right, top, bottom, height } = line.box
      if (right <= 0 || left >= scrollWidth) return false
      if (right > block.right + 2 || left < block.left - 2) found.add(`out of its box: ${describe(line)}`)
      for (const { box, allowed } of edges) {
        const beside = right > box.right + 1 || left < box.left - 1
        const below = bottom > box.bottom + height * 0.3 || top < box.top - height * 0.3
        if (!beside && !below) continue
        const wholly = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom
        if (!allowed && !wholly && box.width > 2 && box.height > 2) found.add(`cut: ${describe(line)}`)
        return false
      }
      return true
    }

    const shown: Line[] = []
    const add = (of: Element, text: string, boxes: Iterable<DOMRect>) => {
      if (!of.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return
      const place = around(of)
      if (!place) return
      for (const box of boxes) {
        const line = { box, of, text, floats: place.floats }
        if (box.width > 1 && box.height > 1 && seen(line, place)) shown.push(line)
      }
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const of = node.parentElement
      const text = node.textContent ?? ''
      if (!of || !text.trim() || of.closest('script, style, noscript, svg, select, textarea, template')) continue
      range.selectNodeContents(node)
      add(of, text, range.getClientRects())
    }
    for (const field of document.querySelectorAll('input, select, textarea')) add(field, field.getAttribute('name') ?? '', [field.getBoundingClientRect()])

    shown.sort((a, b) => a.box.top - b.box.top)
    shown.forEach((one, index) => {
      for (let next = index + 1; next < shown.length; next++) {
        const other = shown[next]
        if (!other || other.box.top >= one.box.bottom) break
        if (other.floats !== one.floats || other.of.contains(one.of) || one.of.contains(other.of)) continue
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top
        // The boxes of glyphs are higher than tight lines are.
        if (across > 2 && down > 0.4 * Math.min(one.box.height, other.box.height)) found.add(`over each other: ${describe(one)} and ${describe(other)}`)
      }
    })
    for (const { node, text } of texts) node.textContent = text
    return [...found]
  }, longer)
