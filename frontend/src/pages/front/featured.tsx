import { useEffect, useState } from 'react'
import type { Card as CardData } from '../../api/content.ts'
import { Card } from '../../blocks/card.tsx'
import { Section } from '../../blocks/section.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './featured.module.css'
import { useCarousel } from './use-carousel.ts'

/** Featured articles, one at a time. Without scripts they stand in a row that scrolls. */
export function Featured({ cards, today }: { cards: CardData[]; today?: string | undefined }) {
  const t = useT()
  const { index, go, stopped, toggle, running, holders } = useCarousel(cards.length)
  const total = cards.length
  // Inert from the start would shut out readers without scripts.
  const [live, setLive] = useState(false)
  useEffect(() => setLive(true), [])
  if (total === 0) return null
  return (
    <Section title={t('front.featured')}>
      <div className={styles.carousel} {...holders}>
        <div className={styles.slides} aria-live={running ? 'off' : 'polite'}>
          {cards.map((card, place) => (
            <div
              key={card.id}
              className={styles.slide}
              role="group"
              aria-label={t('front.slide', { number: place + 1, total })}
              data-shown={place === index || undefined}
              inert={live && place !== index}
            >
              <Card card={card} size="h2" level={3} picture="featured" narrow="stack" excerpt beside today={today} />
            </div>
          ))}
        </div>
        {total > 1 && (
          <div className={styles.controls} data-print="hide">
            <button type="button" className={styles.pause} onClick={toggle}>
              <Icon name={stopped ? 'play' : 'pause'} />
              <VisuallyHidden>{t(stopped ? 'front.play' : 'front.pause')}</VisuallyHidden>
            </button>
            <div className={styles.dots} role="group" aria-label={t('front.slides')}>
              {cards.map((card, place) => (
                <button key={card.id} type="button" className={styles.dot} aria-current={place === index || undefined} onClick={() => go(place)}>
                  <VisuallyHidden>{t('front.slide', { number: place + 1, total })}</VisuallyHidden>
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
    </Section>
  )
}
