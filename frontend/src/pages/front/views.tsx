import { clsx } from 'clsx'
import type { Card, FrontData } from '../../api/content.ts'
import grid from '../../blocks/grid.module.css'
import { MostRead } from '../../blocks/most-read.tsx'
import { Opinion } from '../../blocks/opinion.tsx'
import { Section } from '../../blocks/section.tsx'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './views.module.css'

/** Opinion, two of it against each other, and beside it what others read. */
export function Views({ opinion, mostRead }: { opinion: FrontData['opinion']; mostRead: Card[] }) {
  const t = useT()
  const { edition, href } = useSite()
  const empty = opinion.versus.length === 0 && opinion.more.length === 0
  if (empty) return <MostRead cards={mostRead} wide />
  const category = edition.categories.find(({ key }) => key === 'opinion')
  return (
    <div className={grid.grid}>
      <div className={mostRead.length > 0 ? grid.span8 : grid.span12}>
        <Section title={t('front.opinion')} href={category && href('category', { categorySlug: category.slug })} tint>
          {opinion.versus.length > 0 && <Versus title={opinion.title} cards={opinion.versus} />}
          {opinion.more.length > 0 && (
            <ul className={clsx(styles.more, opinion.more.length === 1 && styles.single, opinion.versus.length > 0 && styles.below)}>
              {opinion.more.map((card) => (
                <li key={card.id}>
                  <Opinion card={card} />
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
      {mostRead.length > 0 && (
        <div className={clsx(grid.span4, styles.side)}>
          <MostRead cards={mostRead} />
        </div>
      )}
    </div>
  )
}

function Versus({ title, cards }: { title: string; cards: Card[] }) {
  const t = useT()
  return (
    <div className={styles.versus} role="group" aria-label={title || t('front.versus')}>
      {title && <p className={styles.question}>{title}</p>}
      {cards.slice(0, 2).map((card) => (
        <Opinion key={card.id} card={card} size="h3" excerpt />
      ))}
    </div>
  )
}
