import type { RouteId } from '../../editions/types.ts'
import { useSite } from '../../app/site-context.ts'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './article.module.css'

const ways: [RouteId, MessageId][] = [
  ['minutes', 'minutes.title'],
  ['topicIndex', 'article.topic'],
  ['company', 'article.company'],
]

/** Ways on from an article, as far as the edition has them. */
export function Further() {
  const t = useT()
  const { href, has } = useSite()
  const there = ways.filter(([id]) => has(id))
  if (there.length === 0) return null
  return (
    <nav className={styles.further} aria-label={t('article.further')}>
      {there.map(([id, words]) => (
        <ButtonLink key={id} variant="outline" href={href(id)}>
          {t(words)}
        </ButtonLink>
      ))}
    </nav>
  )
}
