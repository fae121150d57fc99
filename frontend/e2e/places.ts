import type { APIRequestContext } from '@playwright/test'
import { must, posts, type Edition } from './paper.ts'

/** One address of every kind of page. */
export async function places(request: APIRequestContext, edition: Edition) {
  const locked = must((await posts(request, edition, true))[0], 'a locked post')
  const open = must((await posts(request, edition, false))[0], 'an open post')
  const path = (u: string) => edition.origin + new URL(u, edition.origin).pathname
  return {
    front: `${edition.origin}/`,
    category: `${edition.origin}/category/${edition.section}`,
    'open article': path(open.post_url),
    'locked article': path(locked.post_url),
    login: `${edition.origin}/account/login`,
    registration: `${edition.origin}/account/registration`,
    sent: `${edition.origin}/account/sent?type=thankyou-login&email=reader%40example.org`,
    account: `${edition.origin}/account`,
    'payment success': `${edition.origin}/payment/success?session_id=cs_none`,
    'security check': `${edition.origin}/security-check`,
    'not found': `${edition.origin}/this/is/not/there`,
  }
}
