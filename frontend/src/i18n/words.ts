import type { Area } from '../gen/message-ids.ts'
import type { MessageLocale } from '../editions/types.ts'
import type { DateNames } from './format.ts'
import type { Messages } from './intl.ts'

export interface CoreWords {
  dates: DateNames
  messages: Messages
}

type Areas = Record<string, () => Promise<object>>

const locales = import.meta.glob<Areas>('../gen/messages/*/areas.ts', { import: 'areas' })

/** Fetches one area of a locale's words; each is a chunk of its own. */
export async function loadWords(locale: MessageLocale, area: Area): Promise<{ messages: Messages }> {
  const areas = await locales[`../gen/messages/${locale}/areas.ts`]?.()
  const load = areas?.[`./${area}.json`]
  if (!load) throw new Error(`No words of ${area} in ${locale}`)
  return (await load()) as { messages: Messages }
}

export const loadCore = (locale: MessageLocale) => loadWords(locale, 'core') as Promise<CoreWords>
