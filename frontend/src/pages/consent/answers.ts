import type { MessageId } from '../../gen/message-ids.ts'
import type { PublicEdition } from '../../editions/types.ts'

export interface Answer {
  /** What is sent: the accepted documents, "later" or "false". */
  value: string
  words: MessageId
}

/** The three answers to the question about the documents. */
export const answers = ({ consent }: Pick<PublicEdition, 'consent'>): readonly Answer[] => [
  { value: consent.accordions.map((group) => group.document).join(','), words: 'terms.agree' },
  { value: 'later', words: 'terms.later' },
  { value: 'false', words: 'terms.reject' },
]
