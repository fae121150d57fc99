import type { PageItem } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import type { RouteId } from '../../editions/types.ts'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './buttons.module.css'

const routes: [RouteId, MessageId][] = [
  ['minutes', 'static.button.latest'],
  ['topicIndex', 'static.button.topic'],
  ['company', 'static.button.company'],
  ['contacts', 'static.button.contacts'],
]

/** Where to go from here: what the edition has of the usual places, and what the page adds. */
export function Buttons({ path, links }: { path: string; links: PageItem[] }) {
  const t = useT()
  const { href, has } = useSite()
  const usual = routes.filter(([id]) => has(id)).map(([id, words]) => ({ title: t(words), url: href(id) }))
  const all = [...usual, ...links].filter(({ url }) => url && url !== path)
  if (all.length === 0) return null
  return (
    <nav className={styles.buttons} aria-label={t('static.buttons')} data-print="hide">
      {all.map(({ title, url }) => (
        <ButtonLink key={url} variant="outline" href={url ?? ''}>
          {title}
        </ButtonLink>
      ))}
    </nav>
  )
}
