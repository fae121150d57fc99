import type { ProfileData } from '../../../api/content.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { KeepPasskeys } from './keep-passkeys.tsx'
import { Section } from './section.tsx'
import styles from './sessions.module.css'

type Device = NonNullable<ProfileData['sessions']>[number]

/** Where the reader is logged in. Plain forms: their answer is this page again, or the front page. */
export function Sessions({ data: { sessions = [], passkeys = [] } }: { data: ProfileData }) {
  const t = useT()
  if (sessions.length === 0) return null
  return (
    <Section title={t('profilePage.sessions.title')}>
      <p>{t('profilePage.sessions.lead')}</p>
      <ul className={styles.list}>
        {sessions.map((one) => (
          <Row key={one.id} {...one} />
        ))}
      </ul>
      {(sessions.length > 1 || passkeys.length > 0) && (
        <form className={styles.others} method="post" action="/user/sessions/end" data-native>
          <NamedReader />
          <input type="hidden" name="others" value="1" />
          {passkeys.length > 0 && <KeepPasskeys />}
          <Button type="submit" variant="outline">
            {t('profilePage.sessions.others')}
          </Button>
        </form>
      )}
    </Section>
  )
}

function Row({ id, device, current, created_at, seen_at }: Device) {
  const t = useT()
  const { format } = useSite()
  const name = device || t('profilePage.sessions.unknown')
  return (
    <li className={styles.row}>
      <p className={styles.name}>
        {name} {current && <strong className={styles.current}>{t('profilePage.sessions.current')}</strong>}
      </p>
      <p className={styles.when}>
        {t('profilePage.sessions.seen', { at: format.dateTime(seen_at) })} · {t('profilePage.sessions.since', { at: format.dateTime(created_at) })}
      </p>
      <form className={styles.act} method="post" action="/user/sessions/end" data-native>
        <NamedReader />
        <input type="hidden" name="id" value={id} />
        <Button type="submit" variant="outline" size="small" aria-label={t('profilePage.sessions.endOne', { device: name })}>
          {t('profilePage.sessions.end')}
        </Button>
      </form>
    </li>
  )
}
