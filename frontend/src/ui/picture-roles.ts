/** The widths in which the server keeps pictures. */
export const widths = [160, 240, 320, 480, 640, 800, 960, 1280, 1600] as const

export type PictureRole = 'lead' | 'featured' | 'c6' | 'c4' | 'c3' | 'thumb' | 'article' | 'author' | 'profile' | 'video' | 'cover' | 'hero' | 'portrait'

interface Slot {
  sizes: string
  /** The widest that the slot gets, in CSS pixels. */
  max: number
  /** Width by height; absent: the picture's own. */
  ratio?: readonly [number, number]
  /** The slot has its ratio on every screen, so that the server cuts the picture. */
  cut?: true
}

// What is as wide as the screen asks for an eighth less: a phone has two or three pixels to one of these, nobody misses them,
// and the next smaller picture has half the bytes. The server fetches the first picture ahead and has these words too.
// Below 640 px the cards of a row show a square of 112 px beside the headline.
const slots: Record<PictureRole, Slot> = {
  lead: { sizes: '(width >= 1280px) 746px, (width >= 1024px) 64vw, 88vw', max: 1023, ratio: [16, 9], cut: true },
  featured: { sizes: '(width >= 1280px) 746px, (width >= 768px) 64vw, calc(88vw - 36px)', max: 818, ratio: [16, 9], cut: true },
  c6: { sizes: '(width >= 1280px) 554px, (width >= 768px) 48vw, 88vw', max: 767, ratio: [3, 2], cut: true },
  c4: { sizes: '(width >= 1280px) 362px, (width >= 768px) 32vw, (width >= 640px) 48vw, 112px', max: 404, ratio: [3, 2] },
  c3: { sizes: '(width >= 1280px) 266px, (width >= 768px) 24vw, (width >= 640px) 48vw, 112px', max: 370, ratio: [3, 2] },
  thumb: { sizes: '112px', max: 112, ratio: [1, 1], cut: true },
  article: { sizes: '(width >= 1024px) 842px, 88vw', max: 1023, ratio: [16, 9], cut: true },
  author: { sizes: '72px', max: 72, ratio: [1, 1], cut: true },
  profile: { sizes: '160px', max: 160, ratio: [1, 1], cut: true },
  video: { sizes: '(width >= 1280px) 266px, (width >= 640px) 40vw, 70vw', max: 448, ratio: [16, 9], cut: true },
  hero: { sizes: '(width >= 1280px) 1130px, 100vw', max: 1279, ratio: [21, 9] },
  portrait: { sizes: '(width >= 1280px) 266px, (width >= 640px) 30vw, 45vw', max: 384, ratio: [1, 1], cut: true },
  cover: { sizes: '(width >= 1280px) 266px, (width >= 640px) 32vw, 60vw', max: 384, ratio: [4, 5], cut: true },
}

/** Everything an `<img>` of that role says about its sizes. Candidates end at twice the slot: no eye sees more. */
export function imageAttributes(picture: { id: string; width: number; height: number }, role: PictureRole) {
  const { sizes, max, ratio = [picture.width, picture.height], cut } = slots[role]
  const enough = widths.findIndex((width) => width >= 2 * max)
  const candidates = widths.slice(0, enough < 0 ? widths.length : enough + 1)
  const crop = cut ? `&r=${ratio[0]}x${ratio[1]}` : ''
  const source = (width: number) => `/img/${encodeURIComponent(picture.id)}?w=${width}${crop}`
  const middle = candidates.find((width) => width >= max) ?? candidates[candidates.length - 1] ?? widths[0]
  return {
    src: source(middle),
    srcSet: candidates.map((width) => `${source(width)} ${width}w`).join(', '),
    sizes,
    width: middle,
    height: Math.round((middle * ratio[1]) / ratio[0]),
  }
}
