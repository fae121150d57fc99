import { useEffect, useState } from 'react'
import { signInByApproval, type LoginKind } from '../../api/account.ts'
import { errorCode } from '../../api/error.ts'
import { useErrorWords } from '../../app/error-words.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import styles from './account.module.css'
import { Elsewhere } from './elsewhere.tsx'

/** How often it is asked whether the reader has said yes, in milliseconds; while the page can be seen. */
const pause = 3000

type State = 'waiting' | 'denied' | 'over'

interface AwaitApprovalProps {
  kind: LoginKind
  email: string
  referrer: string
  /** That the reader chooses where they are signed in. */
  number?: number | undefined
  /** Waits without saying so: for whoever is signed in nowhere else. */
  silent?: boolean
}

/** Waits for the reader's yes on another device, or for a login in another tab. Without scripts, a button asks. */
export function AwaitApproval({ kind, email, referrer, number, silent = false }: AwaitApprovalProps) {
  const t = useT()
  const [state, setState] = useState<State>('waiting')
  const [shown, setShown] = useState(number) // an email that is sent again has another number
  const [scripts, setScripts] = useState(false)
  const words = useErrorWords(state === 'denied')
  useEffect(() => {
    setScripts(true)
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const ask = async () => {
      if (document.visibilityState === 'visible') {
        try {
          const { to, status, number } = await signInByApproval()
          if (status === 'over') return setState('over')
          if (number && !left) setShown(number)
          if (status !== 'pending') {
            if (!left) window.location.assign(to ?? referrer)
            return
          }
        } catch (error) {
          const code = errorCode(error)
          if (code === 'LOGIN_DENIED') return setState('denied')
          if (!['CONNECTION_FAILED', 'TOO_MANY_REQUESTS', 'ERROR'].includes(code)) return setState('over')
        }
      }
      if (!left) timer = setTimeout(() => void ask(), pause)
    }
    timer = setTimeout(() => void ask(), pause)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [referrer])
  if (state === 'over' || (silent && state === 'waiting')) return null
  const waiting = state === 'waiting'
  return (
    <Elsewhere title={t('sent.approve.title')}>
      {waiting && <p>{t(shown ? 'sent.approve.number' : 'sent.approve.text')}</p>}
      {waiting && shown ? <p className={styles.number}>{shown}</p> : null}
      {scripts ? (
        <p className={styles.approval} role="status" data-state={state}>
          {waiting && t('sent.approve.waiting')}
          {state === 'denied' && words && t('status.LOGIN_DENIED')}
        </p>
      ) : (
        <form method="post" action="/api/login-approval" data-native className={styles.approval}>
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="type" value={kind} />
          <input type="hidden" name="referrer" value={referrer} />
          <Button type="submit" variant="outline" size="small">
            {t('sent.approve.submit')}
          </Button>
        </form>
      )}
    </Elsewhere>
  )
}
