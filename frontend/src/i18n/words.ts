import type { Area } from '../gen/message-ids.ts'
import type { MessageLocale } from '../editions/types.ts'
import type { DateNames } from './format.ts'
import type { Messages } from './intl.ts'

export interface CoreWords {
  dates: DateNames
  messages: Messages
}

const files = import.meta.glob<{ messages: Messages }>('../gen/messages/*/*.json', { import: 'default' })

/** Fetches one area of a locale's words; each is a chunk of its own. */
export async function loadWords(locale: MessageLocale, area: Area): Promise<{ messages: Messages }> {
  const load = files[`../gen/messages/${locale}/${area}.json`]
  if (!load) throw new Error(`No words of ${area} in ${locale}`)
  return load()
}

export const loadCore = (locale: MessageLocale) => loadWords(locale, 'core') as Promise<CoreWords>
