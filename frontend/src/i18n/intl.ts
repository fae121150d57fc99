import { Children, cloneElement, isValidElement, type ReactNode } from 'react'
import { formatToParts, type Formatters } from 'intl-messageformat'
import type { IntlShape } from 'react-intl'
import type { MessageId } from '../gen/message-ids.ts'
import type { MessageLocale } from '../editions/types.ts'
import type { Format } from './format.ts'
import { pluralCategory } from './plural.ts'

type Compiled = string | object[]

/** Compiled words by id. */
export type Messages = Record<string, Compiled>

export type TextValues = Record<string, string | number | boolean | null | undefined>

/** Formats a message to a string. Rich text goes through <FormattedMessage>. */
export type Translate = (id: MessageId, values?: TextValues) => string

/** The part of react-intl's context that the app uses; dates and numbers are `format`'s, so the rest is not built. */
export interface AppIntl extends Pick<IntlShape, 'locale' | 'timeZone' | 'formatMessage' | '$t'> {
  t: Translate
  /** Adds the words of an area; ids that are already there stay. */
  add: (more: Messages) => void
  has: (id: MessageId) => boolean
}

const keyed = (parts: ReactNode) => Children.map(parts, (part, index) => (isValidElement(part) && part.key == null ? cloneElement(part, { key: index }) : part))

const noStyles = { number: {}, date: {}, time: {} }

/**
 * react-intl's context with an own formatMessage: the stock one serialises every call's message as a cache key, which
 * costs the server more than the rendering itself. Numbers are the edition's, and the browser's Intl is not asked.
 */
export function makeIntl(locale: MessageLocale, timeZone: string, words: Messages, format: Pick<Format, 'number'>): AppIntl {
  const messages: Messages = { ...words }
  const formatters = {
    getNumberFormat: () => ({ format: (value: number) => format.number(value) }),
    getPluralRules: () => ({ select: (value: number) => pluralCategory(locale, value) }),
    getDateTimeFormat: () => {
      throw new Error('Messages take dates as formatted text')
    },
  } as unknown as Formatters

  const formatMessage = ({ id }: { id: string }, values?: Record<string, unknown>) => {
    const message = messages[id]
    if (message === undefined) throw new Error(`No words for ${id} in ${locale}`)
    if (typeof message === 'string') return message
    const given: Record<string, unknown> = { ...values }
    for (const name in given) {
      const tag = given[name]
      if (typeof tag === 'function') given[name] = (parts: ReactNode) => tag(keyed(parts))
    }
    const parts = formatToParts<ReactNode>(message as never, locale, formatters, noStyles, given as never).map(({ value }) => value)
    return parts.length > 1 ? keyed(parts) : (parts[0] ?? '')
  }

  return {
    locale,
    timeZone,
    formatMessage: formatMessage as IntlShape['formatMessage'],
    $t: formatMessage as IntlShape['$t'],
    t: (id, values) => formatMessage({ id }, values) as string,
    add: (more) => {
      for (const id in more) messages[id] ??= more[id] as Compiled
    },
    has: (id) => id in messages,
  }
}
