import { useEffect, useState } from 'react'
import { canPasskeys } from '../session/browser.ts'

/** Whether passkeys can be used here; never on the server and in the first render. */
export function usePasskeys(): boolean {
  const [can, setCan] = useState(false)
  useEffect(() => setCan(canPasskeys()), [])
  return can
}
