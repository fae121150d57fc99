import type { ProfileData } from '../../../api/content.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from './section.tsx'
import styles from './login-requests.module.css'

/** Logins on other devices: is this you? Plain forms, and nothing is answered by itself. */
export function LoginRequests({ data: { loginRequests = [] } }: { data: ProfileData }) {
  const t = useT()
  const { format } = useSite()
  if (loginRequests.length === 0) return null
  return (
    <Section title={t('profilePage.requests.title')}>
      <p>{t('profilePage.requests.lead')}</p>
      {loginRequests.map(({ id, device, at, choices }) => (
        <form key={id} className={styles.request} method="post" action="/fns/login-approval" data-native>
          <NamedReader />
          <input type="hidden" name="id" value={id} />
          <p className={styles.what}>{t('profilePage.requests.what', { time: format.time(at), device: device || t('profilePage.sessions.unknown') })}</p>
          <p id={`login-${id}`}>{t('profilePage.requests.which')}</p>
          <div className={styles.choices} role="group" aria-labelledby={`login-${id}`}>
            {choices.map((number) => (
              <Button key={number} type="submit" name="number" value={number}>
                {number}
              </Button>
            ))}
          </div>
          <Button type="submit" name="approve" value="no" variant="outline">
            {t('profilePage.requests.no')}
          </Button>
        </form>
      ))}
    </Section>
  )
}
