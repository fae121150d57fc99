import { asSafeHtml } from '../../api/html.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import type { ItemsProps } from './items.ts'
import styles from './positions.module.css'

/** Open positions, or a word to those who come when there are none. */
export function Positions({ items, name, titled }: ItemsProps) {
  const t = useT()
  const Title = titled ? 'h3' : 'h2'
  if (items.length === 0) return <p className={styles.none}>{t('static.positions.none')}</p>
  return (
    <ul className={styles.positions}>
      {items.map((item, index) => (
        <li key={index} className={styles.position}>
          <div>
            <Title className={styles.title}>{item.title}</Title>
            {item.subtitle && <p className={styles.where}>{item.subtitle}</p>}
          </div>
          {item.html && <Prose name={`${name}-${index}`} html={asSafeHtml(item.html)} />}
          {item.email && (
            <p className={styles.apply}>
              <ButtonLink variant="outline" href={`mailto:${item.email}?subject=${encodeURIComponent(item.title)}`} aria-label={t('static.positions.applyFor', { title: item.title })}>
                {t('static.positions.apply')}
              </ButtonLink>
              <span className={styles.address}>{item.email}</span>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
