import type { Tier } from '../../api/page.ts'
import { isSubscriber, type Session } from '../../session/session.ts'

/** What the header's button asks for. While the session is unknown, the page's tier answers for it. */
export function offerOf(session: Session, tier: Tier, flags: Record<string, boolean>): 'subscription' | 'register' | 'none' {
  if (isSubscriber(session) || (session.status === 'unknown' && tier === 'entitled')) return 'none'
  if (flags.subscriptions !== false) return session.status === 'reader' && session.reader.userType === 'wordpress' ? 'none' : 'subscription'
  return session.status === 'reader' || tier !== 'anonymous' ? 'none' : 'register'
}
