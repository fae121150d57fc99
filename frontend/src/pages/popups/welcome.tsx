import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Reader } from '../../session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import styles from '../../app/consent.module.css'

export interface WelcomeProps {
  reader: Reader
  onDone: () => void
}

/** Greets a new reader at the foot of the window, where it is in nobody's way. */
export function Welcome({ reader, onDone }: WelcomeProps) {
  const t = useT()
  const { edition, format, href, has } = useSite()
  const trial = reader.hasTrial && reader.userSubscription !== 0
  return (
    <section className={styles.consent} aria-labelledby="welcome-title" data-print="hide">
      <div className={styles.inner}>
        <div className={styles.text}>
          <h2 id="welcome-title">{t('popup.welcome.title', { name: edition.name })}</h2>
          <p>{trial ? t('popup.welcome.trial', { date: format.longDate(reader.userSubscription) }) : t('popup.welcome.text')}</p>
        </div>
        <div className={styles.buttons}>
          {has('profile') && (
            <ButtonLink variant="outline" href={href('profile')} onClick={onDone}>
              {t('popup.welcome.profile')}
            </ButtonLink>
          )}
          <Button variant="outline" onClick={onDone}>
            {t('popup.welcome.read')}
          </Button>
        </div>
      </div>
    </section>
  )
}
