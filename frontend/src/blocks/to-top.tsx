import { cachedOnServer } from '../app/server-cache.tsx'
import { useT } from '../i18n/use-t.ts'
import { Icon } from '../ui/icon.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './to-top.module.css'

/** Back to the beginning of a page. Style alone brings it up once there is a way to go: no script is needed. */
export const ToTop = cachedOnServer('to-top', function ToTop() {
  const t = useT()
  return (
    <a className={styles.link} href="#top" data-native data-print="hide">
      <Icon name="next" />
      <VisuallyHidden>{t('action.toTop')}</VisuallyHidden>
    </a>
  )
})
