import { useState } from 'react'
import type { NewslettersData } from '../../api/content.ts'
import { subscribe } from '../../api/newsletter.ts'
import { NamedReader, useUnsentLists } from '../../app/lost-session.tsx'
import { useSite } from '../../app/site-context.ts'
import { textOf, useSubmit } from '../../app/use-submit.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Trap, trapField } from '../../ui/trap.tsx'
import { Lists } from './lists.tsx'
import styles from './newsletter.module.css'

/** All newsletters of the edition, and the form to get them. */
export function Choose({ lists, signedIn, email }: NewslettersData) {
  const t = useT()
  const { href } = useSite()
  const [none, setNone] = useState(false)
  const unsent = useUnsentLists('/fns/newsletters/subscribe')
  const { form, busy, fieldError, formError } = useSubmit({
    invalid: 'INVALID_EMAIL',
    shows: ['email'],
    fields: { INVALID_EMAIL: 'email', FORBIDDEN_DOMAIN: 'email', UNDELIVERABLE_EMAIL: 'email' },
    send: async (data) => {
      const wanted = data.getAll('lists').filter((v) => typeof v === 'string')
      setNone(wanted.length === 0)
      return wanted.length > 0 ? subscribe(textOf(data, 'email'), wanted, textOf(data, trapField)) : undefined
    },
  })
  return (
    <FormPage title={t('newsletter.title')} lead={t('newsletter.lead')}>
      <form {...form} className={styles.form} method="post" action="/fns/newsletters/subscribe">
        <NamedReader />
        <Lists title={t('newsletter.choose')} lists={lists} chosen={({ id, chosen }) => unsent?.includes(id) ?? chosen} />
        {!signedIn && (
          <EmailField label={t('newsletter.email')} defaultValue={email} error={fieldError('email')} hint={t('newsletter.hint')} />
        )}
        {!signedIn && <Trap />}
        <Button type="submit" wide busy={busy} className={styles.submit}>
          {busy ? t('action.processing') : t(signedIn ? 'newsletter.add' : 'newsletter.submit')}
        </Button>
        <FormError>{none ? t('newsletter.none') : formError}</FormError>
        {signedIn && (
          <a className={shared.way} href={href('newsletterStep', { step: 'settings' })}>
            {t('newsletter.mine')}
          </a>
        )}
      </form>
    </FormPage>
  )
}
