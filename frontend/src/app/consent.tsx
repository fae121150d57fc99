import { useState } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/button.tsx'
import type { ConsentChoice } from './consent-choice.ts'
import styles from './consent.module.css'
import { saveConsent } from './save-consent.ts'
import { useSite } from './site-context.ts'

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
    <Button busy={state === choice} disabled={saving} onClick={() => choose(choice)} variant="outline">
      {t(choice === 'all' ? 'consent.all' : 'consent.necessary')}
    </Button>
  )
  return (
    <section className={styles.consent} aria-labelledby="consent-title" data-print="hide">
      <div className={styles.inner}>
        <div className={styles.text}>
          <h2 id="consent-title">{t('consent.title')}</h2>
          <p>
            {t('consent.text')} {privacy && <a href={href('static', { articleSlug: privacy.static })}>{t('consent.more')}</a>}
          </p>
          <p role="alert" className={styles.failed}>
            {state === 'failed' && t('consent.failed')}
          </p>
        </div>
        <div className={styles.buttons}>
          {button('necessary')}
          {button('all')}
        </div>
      </div>
    </section>
  )
}
