import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import styles from './focus.module.css'

export function Back() {
  const t = useT()
  const { href } = useSite()
  return (
    <a className={styles.way} href={href('profile')}>
      {t('focusPage.back')}
    </a>
  )
}
