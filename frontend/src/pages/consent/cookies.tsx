import { useState } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { Foot } from '../../ui/foot.tsx'
import type { ConsentChoice } from '../../session/browser.ts'
import { saveConsent } from '../../app/save-consent.ts'
import { useSite } from '../../app/site-context.ts'

/** A region at the foot of the window: the page stays usable, and both answers are equally easy. */
export function Consent({ onDone }: { onDone: () => void }) {
  const t = useT()
  const { edition, href } = useSite()
  const [state, setState] = useState<'idle' | ConsentChoice | 'failed'>('idle')
  const privacy = edition.consent.documents.find((document) => document.id === 'privacy')
  const saving = state === 'all' || state === 'necessary'

  const choose = (choice: ConsentChoice) => {
    setState(choice)
    saveConsent(choice).then(onDone, () => setState('failed'))
  }
  const button = (choice: ConsentChoice) => (
    <Button key={choice} busy={state === choice} disabled={saving} onClick={() => choose(choice)} variant="outline">
      {t(choice === 'all' ? 'consent.all' : 'consent.necessary')}
    </Button>
  )
  return (
    <Foot id="consent-title" title={t('consent.title')} failed={state === 'failed' && t('consent.failed')} buttons={[button('necessary'), button('all')]}>
      <p>
        {t('consent.text')} {privacy && <a href={href('static', { articleSlug: privacy.static })}>{t('consent.more')}</a>}
      </p>
    </Foot>
  )
}
