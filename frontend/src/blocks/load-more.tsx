import type { MouseEvent } from 'react'
import type { More } from '../app/use-more.ts'
import { useT } from '../i18n/use-t.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import styles from './load-more.module.css'

/** "Load more": a link to the next part that fetches it into the page where scripts run. */
export function LoadMore({ more }: { more: Pick<More<unknown>, 'next' | 'loading' | 'load'> }) {
  const t = useT()
  if (!more.next) return null
  const onClick = (event: MouseEvent) => {
    event.preventDefault()
    more.load()
  }
  return (
    <div className={styles.more} data-print="hide">
      {more.loading ? (
        <Button variant="outline" busy>
          {t('action.loading')}
        </Button>
      ) : (
        <ButtonLink variant="outline" href={more.next} onClick={onClick}>
          {t('action.loadMore')}
        </ButtonLink>
      )}
    </div>
  )
}
