import { signInByPasskey } from '../../api/passkeys.ts'
import { usePasskeys } from '../../app/use-passkeys.ts'
import { useSubmit } from '../../app/use-submit.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import styles from './account.module.css'

/** The way in without a mail, where the browser has passkeys. Its place is kept, so nothing moves when that is known. */
export function PasskeyLogin({ referrer }: { referrer: string }) {
  const t = useT()
  const can = usePasskeys()
  const { form, busy, formError } = useSubmit({ send: () => signInByPasskey(referrer) })
  return (
    <form {...form} className={styles.passkey}>
      <div>
        {can && (
          <Button type="submit" variant="outline" wide busy={busy}>
            {busy ? t('action.processing') : t('login.passkey')}
          </Button>
        )}
      </div>
      <FormError>{formError}</FormError>
    </form>
  )
}
