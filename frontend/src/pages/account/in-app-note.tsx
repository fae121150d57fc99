import { useT } from '../../i18n/use-t.ts'
import styles from './account.module.css'

/** Inside another app, the link of the mail would open a different browser: says so before the mail is asked for. */
export function InAppNote({ app }: { app: string | undefined }) {
  const t = useT()
  return app ? <p className={styles.inApp}>{t('login.inApp', { app })}</p> : null
}
