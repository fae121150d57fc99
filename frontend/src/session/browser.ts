import { ApiError } from '../api/error.ts'
import type { Site } from '../editions/site.ts'
import type { Ended, Me, ProductType, SessionSource } from './session.ts'

/** The wire form of /user/me. */
interface MeAnswer {
  user_id?: number
  email?: string
  expiration?: number
  comment_name?: string
  type?: string
  has_trial?: boolean
  active_product?: ProductType
  user_agreed_to_terms?: string | string[]
  subscription_expiration_reminder?: boolean
  description?: string
  login_cookie?: string
  login_requests?: number
}

const ended: readonly string[] = ['INVALID_HASH', 'EXPIRED_LOGIN', 'OUTDATED_COOKIE_VERSION'] satisfies Ended[]

/** Reads what the server tells about a session; anything without a user is the end of it. */
export function readMe(answer: MeAnswer): Me {
  if (!answer.user_id) {
    const reason = ended.includes(answer.description ?? '') ? (answer.description as Ended) : 'EXPIRED_LOGIN'
    return { ended: reason, loginCookie: answer.login_cookie ?? '' }
  }
  return {
    reader: {
      userId: answer.user_id,
      userEmail: answer.email ?? '',
      userAgreedToTerms: answer.user_agreed_to_terms ?? 'undefined',
      userSubscription: answer.expiration ?? 0,
      userProduct: answer.active_product ?? 'no_product',
      userType: answer.type ?? '',
      userCommentName: answer.comment_name ?? '',
      hasTrial: answer.has_trial ?? false,
      expirationReminder: answer.subscription_expiration_reminder ?? false,
      loginRequests: answer.login_requests ?? 0,
    },
  }
}

export const cookie = (name: string): string | null =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) || null

/** Ends a cookie of this host that scripts may see. */
export function forget(name: string): void {
  document.cookie = `${name}=; Max-Age=0; Path=/`
}

export type ConsentChoice = 'all' | 'necessary'

/** The cookie that the server sets with the choice; readable, because scripts of others wait for it. */
const consentCookie = 'gdpr_consent'

/** What the reader of this browser has chosen ("all.3": for version 3 of the text); null: to be asked. */
export function consentChoice(version: string): ConsentChoice | null {
  const [choice, given] = cookie(consentCookie)?.split('.') ?? []
  if (given !== undefined && given !== version) return null
  return choice === 'all' || choice === 'necessary' ? choice : null
}

/** Whether this browser can make and use passkeys, and takes and gives them as JSON. */
export const canPasskeys = () => typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/** The session of this browser. Its cookie is a public handle: it authenticates nothing alone. sayEnded says on the page that the session is over. */
export const browserSession = (site: Site, sayEnded: () => void): SessionSource => ({
  handle: () => cookie('logged_user'),
  me: async (handle) => {
    const response = await fetch(`/user/me/?user_hash=${encodeURIComponent(handle)}`, { credentials: 'same-origin' })
    if (!response.ok) throw new ApiError(response.status, 'ERROR')
    return readMe((await response.json()) as MeAnswer)
  },
  onEnded: (reason, loginCookie) => {
    forget('logged_user')
    if (reason === 'OUTDATED_COOKIE_VERSION' && loginCookie) return window.location.assign(`${site.href('securityCheck')}#hash=${loginCookie}`)
    // The page stays, with all that was chosen and typed on it. Where the link of a mail leads, that link speaks for its reader.
    if (![site.href('securityCheck'), site.href('emailChange')].includes(window.location.pathname)) sayEnded()
  },
})
