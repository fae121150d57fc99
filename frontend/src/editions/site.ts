import { createFormat, type DateNames, type Format } from '../i18n/format.ts'
import { makeHref } from './href.ts'
import { isAvailable } from './available.ts'
import type { PublicEdition, RouteId } from './types.ts'

/** An edition with what components ask of it. Made once, never changed. */
export interface Site {
  edition: PublicEdition
  href: ReturnType<typeof makeHref>
  /** Whether the edition and this app have such a page: ask before linking to it. */
  has: (id: RouteId) => boolean
  format: Format
}

export function createSite(edition: PublicEdition, dates: DateNames): Site {
  return {
    edition,
    href: makeHref(edition),
    has: (id) => Boolean(edition.paths[id]) && isAvailable(id),
    format: createFormat({ timeZone: edition.timeZone, numberLocale: edition.numberLocale, dates }),
  }
}
