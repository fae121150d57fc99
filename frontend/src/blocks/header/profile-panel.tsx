import type { RouteId } from '../../editions/types.ts'
import { useSite } from '../../app/site-context.ts'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Session } from '../../session/session.ts'
import styles from './panel.module.css'

const guest: [RouteId, MessageId][] = [
  ['login', 'profile.login'],
  ['registration', 'profile.registration'],
  ['account', 'profile.subscription'],
]
const reader: [RouteId, MessageId][] = [
  ['profile', 'profile.account'],
  ['account', 'profile.subscription'],
  ['logout', 'profile.logout'],
]

export function ProfilePanel({ session }: { session: Session }) {
  const t = useT()
  const { edition, href, has } = useSite()
  const signedIn = session.status === 'reader'
  const hidden = (id: RouteId) => id === 'account' && (edition.flags.subscriptions === false || (signedIn && session.reader.userType === 'wordpress'))
  return (
    <nav id="header-profile" className={styles.panel} data-narrow aria-label={t('header.profile')}>
      {signedIn && <p className={styles.who}>{session.reader.userEmail}</p>}
      {signedIn && has('profile') && (session.reader.loginRequests ?? 0) > 0 && (
        <p className={styles.asked}>
          <a href={href('profile')}>{t('profile.loginRequest')}</a>
        </p>
      )}
      <ul className={styles.list}>
        {(signedIn ? reader : guest)
          .filter(([id]) => has(id) && !hidden(id))
          .map(([id, words]) => (
            <li key={id}>
              <a href={href(id)}>{t(words)}</a>
            </li>
          ))}
      </ul>
    </nav>
  )
}
