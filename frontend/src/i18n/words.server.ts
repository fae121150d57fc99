import type { MessageLocale } from '../editions/types.ts'
import type { CoreWords } from './words.ts'
import type { Messages } from './intl.ts'

const files = import.meta.glob<{ messages: Messages }>('../gen/messages/*/*.json', { import: 'default', eager: true })

/** All words of a locale. */
export function allWords(locale: MessageLocale): CoreWords {
  const prefix = `../gen/messages/${locale}/`
  const core = files[prefix + 'core.json'] as CoreWords | undefined
  if (!core) throw new Error(`No words for ${locale}`)
  const messages: Messages = {}
  for (const path in files) if (path.startsWith(prefix)) Object.assign(messages, files[path]?.messages)
  return { dates: core.dates, messages }
}
