import { useCallback, useContext, useEffect, useState } from 'react'
import type { PaymentSuccessData } from '../../api/content.ts'
import { paymentStatus, type PaymentState } from '../../api/payments.ts'
import { queryValue } from '../../app/query.ts'
import { SessionContext } from '../../session/use-session.ts'

/** How long to wait before asking for the nth time, in milliseconds: 2 s at first, then ever longer, at most 15 s. */
export const delayOf = (n: number) => Math.min(2000 * 1.25 ** n, 15_000)

/** After so many questions the reader is told not to wait, and after so many nothing more is asked. */
const patience = 8
const attempts = 40

export interface PaymentStatus {
  state: PaymentState
  endsAt: string | undefined
  /** It takes longer than it should. */
  slow: boolean
}

/** The state of the payment in the address; while it is on its way, the server is asked again and again. */
export function usePaymentStatus(data: PaymentSuccessData): PaymentStatus {
  const session = useContext(SessionContext)
  const [known, setKnown] = useState<{ state: PaymentState; endsAt: string | undefined }>({ state: data.state, endsAt: data.endsAt })
  const [asked, setAsked] = useState(0)

  const ask = useCallback(async () => {
    try {
      const { state, endsAt } = await paymentStatus(queryValue(window.location.href, 'session_id'))
      setKnown({ state, endsAt })
      if (state === 'confirmed') await session.load()
    } catch {
      // The next question may get through.
    }
    setAsked((before) => before + 1)
  }, [session])

  useEffect(() => {
    if (known.state !== 'pending' || asked >= attempts) return
    const timer = setTimeout(() => void ask(), delayOf(asked))
    return () => clearTimeout(timer)
  }, [known.state, asked, ask])

  return { ...known, slow: known.state === 'pending' && asked >= patience }
}
