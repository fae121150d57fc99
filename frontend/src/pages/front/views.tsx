import { clsx } from 'clsx/lite'
import type { Card, FrontData } from '../../api/content.ts'
import grid from '../../blocks/grid.module.css'
import { MostRead } from '../../blocks/most-read.tsx'
import { Opinion } from '../../blocks/opinion.tsx'
import { Section } from '../../blocks/section.tsx'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './views.module.css'

interface ViewsProps {
  opinion: FrontData['opinion']
  mostRead: Card[]
}

/** Opinion: two against each other with the most read beside them, and the others in a row below. */
export function Views({ opinion: { title, versus, more }, mostRead }: ViewsProps) {
  const t = useT()
  const { edition, href } = useSite()
  if (versus.length === 0 && more.length === 0) return <MostRead cards={mostRead} wide />
  const category = edition.categories.find(({ key }) => key === 'opinion')
  const apart = versus.length > 0 && more.length > 0
  return (
    <div className={clsx(grid.grid, styles.views)}>
      <div className={clsx(mostRead.length > 0 && grid.span8, styles.tint)}>
        <Section title={category?.name ?? t('front.opinion')} href={category && href('category', { categorySlug: category.slug })} tint>
          {versus.length > 0 ? <Versus title={title} cards={versus} /> : <More cards={more} />}
        </Section>
      </div>
      {apart && (
        <div className={styles.below}>
          <More cards={more} apart />
        </div>
      )}
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

/** As many as fill rows of that many; fewer than one row are shown all the same. */
const full = (cards: Card[], row: number) => (cards.length < row ? cards : cards.slice(0, cards.length - (cards.length % row)))

function More({ cards, apart = false }: { cards: Card[]; apart?: boolean }) {
  const t = useT()
  return (
    <ul className={clsx(styles.more, apart && styles.apart)} aria-label={t('front.opinion')}>
      {full(cards, apart ? 3 : 2).map((card) => (
        <li key={card.id}>
          <Opinion card={card} />
        </li>
      ))}
    </ul>
  )
}
