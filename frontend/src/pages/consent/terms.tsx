import { useContext, useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import type { ConsentDocument } from '../../api/content.ts'
import { ApiError } from '../../api/error.ts'
import { useSite } from '../../app/site-context.ts'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import type { Reader } from '../../session/session.ts'
import { SessionContext } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { answers, type Answer } from './answers.ts'
import { Documents } from './documents.tsx'
import styles from './terms.module.css'

export interface TermsProps {
  reader: Reader
  onDone: () => void
}

/** Asks a reader about the documents. Closed without an answer, it comes back on the next visit. */
export function Terms({ reader, onDone }: TermsProps) {
  const t = useT()
  const { edition, href } = useSite()
  const store = useContext(SessionContext)
  const [documents, setDocuments] = useState<readonly ConsentDocument[] | null>(null)
  const [round, setRound] = useState(0)
  const [saving, setSaving] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<MessageId | null>(null)

  useEffect(() => {
    let live = true
    api.GET('/api/consent-documents').then(
      ({ data }) => live && setDocuments(data?.documents ?? []),
      () => live && setTrouble('terms.notLoaded'),
    )
    return () => {
      live = false
    }
  }, [round])

  const reload = () => {
    setDocuments(null)
    setRound((one) => one + 1)
  }
  const save = async ({ value }: Answer) => {
    setSaving(value)
    setTrouble(null)
    try {
      const shown = (documents ?? []).map((document) => document.hash)
      await api.POST('/api/set-consent-metadata', { body: { consent: value, user_id: reader.userId, shown } })
      if (value === 'false' && edition.consent.rejectLogsOut) return window.location.assign(href('logout'))
      onDone()
      await store.load().catch(() => undefined)
    } catch (error) {
      const changed = error instanceof ApiError && error.field === 'shown'
      setTrouble(changed ? 'terms.changed' : 'terms.notSaved')
      setSaving(null)
      if (changed) reload()
    }
  }
  const rows = edition.consent.accordions.reduce((sum, group) => sum + group.sections, 0)
  return (
    <Dialog onClose={onDone} title={t('terms.title')}>
      <p className={styles.lead}>
        {t('terms.text')} {edition.consent.rejectLogsOut && t('terms.leaves')}
      </p>
      {documents ? <Documents documents={documents} /> : <div className={styles.waiting} aria-hidden="true">{Array.from({ length: rows }, (_, index) => <span key={index} />)}</div>}
      <div className={styles.foot}>
        <p role="alert" className={styles.trouble}>
          {trouble && t(trouble)}
        </p>
        {trouble === 'terms.notLoaded' && !documents ? (
          <Button variant="outline" onClick={() => (setTrouble(null), reload())}>
            {t('terms.again')}
          </Button>
        ) : (
          <div className={styles.answers}>
            {answers(edition).map((answer) => (
              <Button key={answer.words} variant="outline" busy={saving === answer.value} disabled={!documents || saving !== null} onClick={() => void save(answer)}>
                {t(answer.words)}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Dialog>
  )
}
