import { clsx } from 'clsx/lite'
import type { Card as CardData, MinuteItem } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { Card } from '../../blocks/card.tsx'
import { CardRows } from '../../blocks/card-rows.tsx'
import grid from '../../blocks/grid.module.css'
import { MinuteList } from '../../blocks/minute-list.tsx'
import { Section } from '../../blocks/section.tsx'
import { splitRows } from '../../blocks/split-rows.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './front.module.css'

/** How many short news stand in the list at the end. */
const listed = 5

/** "Special for you" and the short news. Either takes the whole width when the other has nothing. */
export function Last({ special, minutes, today }: { special: CardData[]; minutes: MinuteItem[]; today?: string | undefined }) {
  const t = useT()
  const { href, has } = useSite()
  if (special.length === 0 && minutes.length === 0) return null
  const both = special.length > 0 && minutes.length > 0
  const [first, ...rest] = special
  return (
    <div className={grid.grid}>
      {first && (
        <div className={both ? grid.span8 : undefined}>
          <Section title={t('front.special')}>
            {both && rest.length > 0 ? (
              <div className={styles.special}>
                <Card card={first} size="h4" picture="c4" excerpt today={today} />
                <div className={styles.specialRest}>
                  {rest.map((card) => (
                    <Card key={card.id} card={card} size="h6" today={today} />
                  ))}
                </div>
              </div>
            ) : (
              <CardRows rows={splitRows(special, 3)} today={today} />
            )}
          </Section>
        </div>
      )}
      {minutes.length > 0 && (
        <div className={clsx(both && grid.span4, styles.full)}>
          <Section title={t('front.minutes')} {...(has('minutes') ? { href: href('minutes'), all: t('front.allMinutes') } : {})}>
            <MinuteList items={minutes.slice(0, both ? listed : 3 * listed)} today={today} wide={!both} />
          </Section>
        </div>
      )}
    </div>
  )
}
