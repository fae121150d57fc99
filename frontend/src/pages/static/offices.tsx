import { asSafeHtml } from '../../api/html.ts'
import { Prose } from '../../ui/prose.tsx'
import type { ItemsProps } from './items.ts'
import styles from './offices.module.css'

/** Where the paper can be visited or written to. */
export function Offices({ items, name, titled }: ItemsProps) {
  const Title = titled ? 'h3' : 'h2'
  return (
    <ul className={styles.offices}>
      {items.map((item, index) => (
        <li key={index} className={styles.office}>
          {item.subtitle && <p className={styles.kind}>{item.subtitle}</p>}
          <Title className={styles.place}>{item.title}</Title>
          <address className={styles.address}>
            {item.html && <Prose name={`${name}-${index}`} html={asSafeHtml(item.html)} />}
            {item.email && (
              <a className={styles.mail} href={`mailto:${item.email}`}>
                {item.email}
              </a>
            )}
          </address>
        </li>
      ))}
    </ul>
  )
}
