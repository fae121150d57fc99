import type { MessageLocale, PublicEdition } from './types.ts'

const overlays: Record<string, MessageLocale> = { 'de-AT': 'de-AT', 'de-CH': 'de-CH' }

/** The locale whose words an edition speaks. An overlay counts only while the language is its own. */
export function messageLocale(edition: Pick<PublicEdition, 'locale' | 'intlLocale'>): MessageLocale {
  const overlay = overlays[edition.intlLocale]
  return overlay && overlay.startsWith(edition.locale) ? overlay : edition.locale
}
