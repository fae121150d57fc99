import { useState } from 'react'
import { addPasskey, declinePasskey } from '../../api/passkeys.ts'
import { reportError } from '../../app/report.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { Foot } from '../../ui/foot.tsx'

export interface PasskeyOfferProps {
  onDone: () => void
}

type State = 'open' | 'busy' | 'failed' | 'made'

/** Offers a passkey to a reader who has just logged in by a mail, at the foot of the window. */
export function PasskeyOffer({ onDone }: PasskeyOfferProps) {
  const t = useT()
  const [state, setState] = useState<State>('open')
  const add = () => {
    setState('busy')
    addPasskey().then(
      (made) => setState(made ? 'made' : 'open'),
      () => setState('failed'),
    )
  }
  const decline = () => {
    onDone() // the answer need not be waited for
    declinePasskey().catch((error: unknown) => reportError(error, 'passkey'))
  }
  const made = state === 'made'
  const buttons = made ? (
    <Button variant="outline" onClick={onDone}>
      {t('action.close')}
    </Button>
  ) : (
    <>
      <Button variant="outline" onClick={decline}>
        {t('popup.later')}
      </Button>
      <Button busy={state === 'busy'} onClick={add}>
        {state === 'busy' ? t('action.processing') : t('popup.passkey.add')}
      </Button>
    </>
  )
  return (
    <Foot id="passkey-offer-title" title={t('popup.passkey.title')} failed={state === 'failed' && t('popup.failed')} buttons={buttons}>
      <p role="status">{made ? t('popup.passkey.done') : t('popup.passkey.text')}</p>
    </Foot>
  )
}
