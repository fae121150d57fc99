import { useT } from '../../i18n/use-t.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './controls.module.css'
import type { Reader } from './use-reader.ts'

/** From one short news to its neighbours. */
export function Controls({ reader: { previous, next, waiting } }: { reader: Reader }) {
  const t = useT()
  return (
    <div className={styles.controls} role="group" aria-label={t('minutes.controls')} data-print="hide">
      <button type="button" className={styles.previous} onClick={previous ?? undefined} disabled={!previous}>
        <Icon name="previous" />
        {t('minutes.previous')}
      </button>
      <button type="button" className={styles.next} onClick={next ?? undefined} disabled={!next || waiting} aria-busy={waiting || undefined}>
        {waiting ? t('action.loading') : t('minutes.next')}
        <Icon name="next" />
      </button>
    </div>
  )
}
