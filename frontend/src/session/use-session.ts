import { createContext, useContext, useSyncExternalStore } from 'react'
import { fixedSession, type Session } from './session.ts'

export const unknownSession = fixedSession({ status: 'unknown' })

export const SessionContext = createContext(unknownSession)

const unknown = () => unknownSession.get()

/** Who is reading. On the server and in the first render it is always unknown. */
export function useSession(): Session {
  const store = useContext(SessionContext)
  return useSyncExternalStore(store.subscribe, store.get, unknown)
}
