import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Reader } from '../../session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Foot } from '../../ui/foot.tsx'

export interface WelcomeProps {
  reader: Reader
  onDone: () => void
}

/** Greets a new reader at the foot of the window, where it is in nobody's way. */
export function Welcome({ reader, onDone }: WelcomeProps) {
  const t = useT()
  const { edition, format, href, has } = useSite()
  const trial = reader.hasTrial && reader.userSubscription !== 0
  const buttons = (
    <>
      {has('profile') && (
        <ButtonLink variant="outline" href={href('profile')} onClick={onDone}>
          {t('popup.welcome.profile')}
        </ButtonLink>
      )}
      <Button variant="outline" onClick={onDone}>
        {t('popup.welcome.read')}
      </Button>
    </>
  )
  return (
    <Foot id="welcome-title" title={t('popup.welcome.title', { name: edition.name })} buttons={buttons}>
      <p>{trial ? t('popup.welcome.trial', { date: format.longDate(reader.userSubscription) }) : t('popup.welcome.text')}</p>
    </Foot>
  )
}
