import { useT } from '../../../i18n/use-t.ts'
import styles from './keep-passkeys.module.css'

/** The choice in forms that log out elsewhere: passkeys are removed with the sessions, unless the reader keeps them. */
export function KeepPasskeys() {
  const t = useT()
  return (
    <label className={styles.keep}>
      <input type="checkbox" name="keep_passkeys" value="1" className={styles.box} />
      <span>{t('profilePage.passkeys.keep')}</span>
    </label>
  )
}
