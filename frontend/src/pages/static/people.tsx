import type { PageItem } from '../../api/content.ts'
import { asSafeHtml } from '../../api/html.ts'
import { useSite } from '../../app/site-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Prose } from '../../ui/prose.tsx'
import type { ItemsProps } from './items.ts'
import styles from './people.module.css'

/** Portrait cards where one of the people has a picture, else cards of names. */
export function People({ items, name, titled }: ItemsProps) {
  const portraits = items.some((item) => item.picture)
  return (
    <ul className={portraits ? styles.portraits : styles.names}>
      {items.map((item, index) => (
        <li key={index} className={portraits ? styles.portrait : styles.name}>
          {portraits && <Face item={item} />}
          <Words item={item} name={`${name}-${index}`} titled={titled} />
        </li>
      ))}
    </ul>
  )
}

function Face({ item }: { item: PageItem }) {
  if (item.picture) return <Picture picture={item.picture} role="portrait" decorative />
  return (
    <div className={styles.nobody}>
      <Icon name="profile" />
    </div>
  )
}

function Words({ item, name, titled }: { item: PageItem; name: string; titled: boolean }) {
  const { has } = useSite()
  const Title = titled ? 'h3' : 'h2'
  return (
    <div className={styles.words}>
      <Title className={styles.title}>{item.url && has('author') ? <a href={item.url}>{item.title}</a> : item.title}</Title>
      {item.subtitle && <p className={styles.role}>{item.subtitle}</p>}
      {item.email && (
        <a className={styles.mail} href={`mailto:${item.email}`}>
          {item.email}
        </a>
      )}
      {item.html && <Prose name={name} html={asSafeHtml(item.html)} />}
    </div>
  )
}
