import { useCallback, useEffect, useRef, useState } from 'react'
import { signInByLink } from '../../api/account.ts'
import type { ErrorCode } from '../../api/codes.ts'
import { errorCode } from '../../api/error.ts'
import { useSite } from '../../app/site-context.ts'
import { linkHash } from './link-hash.ts'

export type LinkLogin = { step: 'waiting' } | { step: 'confirm'; email: string; busy: boolean } | { step: 'missing' } | { step: 'failed'; code: ErrorCode }

/** Signs in with the key in the address: at once in the browser that asked for it, after a confirmation in any other. */
export function useLinkLogin(): [LinkLogin, confirm: () => void] {
  const { href } = useSite()
  const [state, setState] = useState<LinkLogin>({ step: 'waiting' })
  const hash = useRef('')
  const home = href('front')

  const send = useCallback(
    (confirmed: boolean) => {
      signInByLink(hash.current, confirmed).then(
        ({ confirm, email, redirect }) => {
          if (confirm && !confirmed) setState({ step: 'confirm', email: email ?? '', busy: false })
          else window.location.assign(redirect ?? home)
        },
        (error: unknown) => setState({ step: 'failed', code: errorCode(error) }),
      )
    },
    [home],
  )
  useEffect(() => {
    if (hash.current) return
    hash.current = linkHash(window.location.href)
    if (!hash.current) return setState({ step: 'missing' })
    send(false)
  }, [send])

  const confirm = () => {
    // A scanner's script presses buttons too; a person's hand is what the browser vouches for.
    const { userActivation } = navigator as { userActivation?: UserActivation }
    if (userActivation && !userActivation.isActive) return
    setState((before) => (before.step === 'confirm' ? { ...before, busy: true } : before))
    send(true)
  }
  return [state, confirm]
}
