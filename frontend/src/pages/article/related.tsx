import type { Card } from '../../api/content.ts'
import { CardRows } from '../../blocks/card-rows.tsx'
import { Section } from '../../blocks/section.tsx'
import { useT } from '../../i18n/use-t.ts'

/** Where the rows of further articles begin and end. */
const rows = [[0, 3], [3, 7], [7, 11]] as const

export function Related({ cards, today }: { cards: Card[]; today: string | undefined }) {
  const t = useT()
  if (cards.length === 0) return null
  return (
    <Section title={t('article.related')}>
      <CardRows rows={rows.map(([from, to]) => cards.slice(from, to)).filter((row) => row.length > 0)} today={today} />
    </Section>
  )
}
