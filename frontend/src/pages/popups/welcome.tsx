import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Reader } from '../../session/session.ts'
import { Toast } from '../../ui/toast.tsx'

export interface WelcomeProps {
  reader: Reader
  onDone: () => void
}

/** Greets a new reader, and goes by itself. */
export function Welcome({ reader, onDone }: WelcomeProps) {
  const t = useT()
  const { edition, format } = useSite()
  const trial = reader.hasTrial && reader.userSubscription !== 0
  return (
    <Toast kind="success" closeLabel={t('action.close')} onClose={onDone} duration={8000}>
      {t('popup.welcome.title', { name: edition.name })}. {trial ? t('popup.welcome.trial', { date: format.longDate(reader.userSubscription) }) : t('popup.welcome.text')}
    </Toast>
  )
}
