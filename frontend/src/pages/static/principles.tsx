import { asSafeHtml } from '../../api/html.ts'
import { Prose } from '../../ui/prose.tsx'
import type { ItemsProps } from './items.ts'
import styles from './principles.module.css'

/** Principles, counted as the most read are. */
export function Principles({ items, name, titled }: ItemsProps) {
  const Title = titled ? 'h3' : 'h2'
  return (
    <ol className={styles.principles}>
      {items.map((item, index) => (
        <li key={index} className={styles.principle}>
          <Title className={styles.title}>{item.title}</Title>
          {item.html && <Prose name={`${name}-${index}`} html={asSafeHtml(item.html)} />}
        </li>
      ))}
    </ol>
  )
}
