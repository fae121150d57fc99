import { useEffect, useRef } from 'react'
import { signOut } from '../../api/account.ts'
import { useSite } from '../../app/site-context.ts'
import { useOwnNavigation } from '../../app/use-own-navigation.ts'
import { useSubmit } from '../../app/use-submit.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import styles from './account.module.css'

/** Logs out. Reached from one of our pages, the form sends itself; from anywhere else, and without scripts, its button does. */
export function Page() {
  const t = useT()
  const { href } = useSite()
  const element = useRef<HTMLFormElement | null>(null)
  const sent = useRef(false)
  const ours = useOwnNavigation()
  const { form, busy, formError } = useSubmit({ send: async () => (await signOut()) ?? href('front') })
  useEffect(() => {
    if (sent.current || !ours()) return
    sent.current = true
    element.current?.requestSubmit()
  }, [ours])
  return (
    <FormPage title={t('logout.title')}>
      <form
        className={styles.form}
        method="post"
        action="/api/logout"
        onSubmit={form.onSubmit}
        ref={(one) => {
          element.current = one
        }}
      >
        <p className={shared.text}>{t('logout.text')}</p>
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('logout.submit')}
        </Button>
        <FormError>{formError}</FormError>
      </form>
    </FormPage>
  )
}
