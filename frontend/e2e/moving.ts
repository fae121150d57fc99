import type { Page } from '@playwright/test'

/** What moves, or would on the next change: animations that take time or follow the scrolling smoothly, and transitions. */
export const moving = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const name = (one: Element | null) => (one ? `${one.tagName} ${one.className.toString().slice(0, 60)}` : '')
    for (const animation of document.getAnimations()) {
      const effect = animation.effect as KeyframeEffect
      if (effect.getKeyframes().every(({ easing }, index, all) => index === all.length - 1 || easing.startsWith('steps(1'))) continue
      found.push(`${(animation as CSSAnimation).animationName ?? 'transition'} of ${name(effect.target)}`)
    }
    for (const one of document.querySelectorAll('*')) {
      const { transitionDuration, scrollBehavior } = getComputedStyle(one)
      if (transitionDuration.split(',').some((part) => parseFloat(part) > 0)) found.push(`transition of ${name(one)}`)
      if (scrollBehavior === 'smooth') found.push(`smooth scrolling of ${name(one)}`)
    }
    return [...new Set(found)]
  })
