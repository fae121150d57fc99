import type { Area } from '../gen/message-ids.ts'
import type { MessageLocale } from '../editions/types.ts'
import type { DateNames } from './format.ts'
import type { Messages } from './intl.ts'

export interface CoreWords {
  dates: DateNames
  messages: Messages
}

interface Words {
  /** The words of every page. */
  core: object
  areas: Record<string, () => Promise<object>>
}

const locales = import.meta.glob<Words>('../gen/messages/*/words.ts')

async function wordsOf(locale: MessageLocale): Promise<Words> {
  const load = locales[`../gen/messages/${locale}/words.ts`]
  if (!load) throw new Error(`No words in ${locale}`)
  return load()
}

/** Fetches one area of a locale's words; each is a chunk of its own. */
export async function loadWords(locale: MessageLocale, area: Area): Promise<{ messages: Messages }> {
  const load = (await wordsOf(locale)).areas[`./${area}.json`]
  if (!load) throw new Error(`No words of ${area} in ${locale}`)
  return (await load()) as { messages: Messages }
}

/** Fetches the words that every page of a locale has. */
export const loadCore = async (locale: MessageLocale): Promise<CoreWords> => (await wordsOf(locale)).core as CoreWords
