import type { ProfileData } from '../../../api/content.ts'
import { addPasskey } from '../../../api/passkeys.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { usePasskeys } from '../../../app/use-passkeys.ts'
import { useSubmit } from '../../../app/use-submit.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Section } from './section.tsx'
import styles from './sessions.module.css'

type Passkey = NonNullable<ProfileData['passkeys']>[number]

/** The passkeys of the reader. One is made with scripts alone, as the browser has it; removing takes a plain form. */
export function Passkeys({ data: { passkeys } }: { data: ProfileData }) {
  const t = useT()
  const { href } = useSite()
  const can = usePasskeys()
  const { form, busy, formError } = useSubmit({ send: async () => ((await addPasskey()) ? href('profile') : undefined) })
  if (!passkeys) return null
  return (
    <Section title={t('profilePage.passkeys.title')}>
      <p>{t('profilePage.passkeys.lead')}</p>
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((one) => (
            <Row key={one.id} {...one} />
          ))}
        </ul>
      )}
      <form {...form} className={styles.add}>
        {can && (
          <Button type="submit" variant="outline" busy={busy}>
            {busy ? t('action.processing') : t('profilePage.passkeys.add')}
          </Button>
        )}
        <FormError>{formError}</FormError>
      </form>
    </Section>
  )
}

function Row({ id, device, created_at, used_at, cloned }: Passkey) {
  const t = useT()
  const { format } = useSite()
  const name = device || t('profilePage.sessions.unknown')
  return (
    <li className={styles.row}>
      <p className={styles.name}>{name}</p>
      <p className={styles.when}>
        {cloned ? (
          <strong className={styles.bad}>{t('profilePage.passkeys.cloned')}</strong>
        ) : (
          <>
            {t('profilePage.passkeys.made', { at: format.dateTime(created_at) })}
            {used_at && <> · {t('profilePage.sessions.seen', { at: format.dateTime(used_at) })}</>}
          </>
        )}
      </p>
      <form className={styles.act} method="post" action="/fns/passkeys/remove" data-native>
        <NamedReader />
        <input type="hidden" name="id" value={id} />
        <Button type="submit" variant="outline" size="small" aria-label={t('profilePage.passkeys.removeOne', { device: name })}>
          {t('profilePage.passkeys.remove')}
        </Button>
      </form>
    </li>
  )
}
