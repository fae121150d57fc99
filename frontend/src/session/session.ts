export type ProductType = 'product_monthly' | 'product_yearly' | 'no_product'

/** A signed-in reader, as /user/me tells. */
export interface Reader {
  userId: number
  userEmail: string
  /** "true", "false", "later", "undefined", or the accepted documents. */
  userAgreedToTerms: string | string[]
  /** Seconds since 1970 until which everything may be read; 0 without a subscription. */
  userSubscription: number
  userProduct: ProductType
  userType: string
  userCommentName: string
  hasTrial: boolean
  expirationReminder: boolean
  /** Logins on other devices that wait for an answer. */
  loginRequests?: number
}

/** Unknown until the server has been asked, which never happens before hydration. */
export type Session = { status: 'unknown' } | { status: 'guest' } | { status: 'reader'; reader: Reader }

/** Why the server no longer knows a session. */
export type Ended = 'INVALID_HASH' | 'EXPIRED_LOGIN' | 'OUTDATED_COOKIE_VERSION'

export type Me = { reader: Reader } | { ended: Ended; loginCookie: string }

export interface SessionStore {
  get: () => Session
  subscribe: (listener: () => void) => () => void
  /** Asks the server who is here; nobody is, when there is no login cookie. */
  load: () => Promise<void>
}

export interface SessionSource {
  /** The public handle of the session, from its cookie. */
  handle: () => string | null
  me: (handle: string) => Promise<Me>
  /** The server has ended the session: forget it, and go where that leads. */
  onEnded: (ended: Ended, loginCookie: string) => void
}

export function createSession(source: SessionSource): SessionStore {
  let session: Session = { status: 'unknown' }
  const listeners = new Set<() => void>()
  const set = (next: Session) => {
    session = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => session,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      const handle = source.handle()
      if (!handle) return set({ status: 'guest' })
      const answer = await source.me(handle)
      if ('reader' in answer) return set({ status: 'reader', reader: answer.reader })
      set({ status: 'guest' })
      source.onEnded(answer.ended, answer.loginCookie)
    },
  }
}

export const isSubscriber = (session: Session) => session.status === 'reader' && session.reader.userSubscription !== 0

/** A session that never changes: the server's, and the one of tests. */
export const fixedSession = (session: Session): SessionStore => ({
  get: () => session,
  subscribe: () => () => undefined,
  load: async () => undefined,
})
