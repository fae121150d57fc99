import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'
import type { Edition } from './paper.ts'
import { addressOf, answer, call, letter, register, subscribe } from './reader.ts'

export interface Member {
  context: BrowserContext
  /** The addresses of pages that only this reader sees, or that say something else to this reader, by name. */
  pages: Record<string, string>
}

/** A reader who has not paid yet and one who has, who see other pages than those of a visitor. */
export async function members(browser: Browser, edition: Edition, places: Record<string, string>, options: BrowserContextOptions = {}): Promise<Member[]> {
  const [reader, subscriber] = [await browser.newContext(options), await browser.newContext(options)]
  const at = (paths: Record<string, string | undefined>) => Object.fromEntries(Object.entries(paths).flatMap(([name, path]) => (path ? [[name, new URL(path, edition.origin).href]] : [])))
  const locked = places['locked article']

  const news = addressOf(edition, 'news') // a visitor's: who is signed in need not confirm
  await call(reader, edition, '/fns/newsletters/subscribe', { email: news, lists: ['topic'] })
  const confirm = (await letter(reader.request, edition, news, '/newsletters/confirm')).link
  await register(reader, edition, 'reader')
  await answer(reader, edition)
  const order = (await call(reader, edition, '/fns/stripe-payment', { product_type: 'product_yearly', payment_method: 'iban', referrer: '/' })) as { data: { redirect: string } }

  const email = await register(subscriber, edition, 'subscriber')
  await answer(subscriber, edition)
  await subscribe(subscriber, edition)
  await call(subscriber, edition, '/fns/user-comment-name', { comment_name: `Eva.${Date.now()}` })
  const invoice = (await letter(subscriber.request, edition, email, '/account/invoice/')).link

  return [
    {
      context: reader,
      pages: at({
        'offer to a reader': '/account',
        'profile of a reader': '/account/profile',
        'discussion name': '/account/focus?type=comment_name',
        'billing data': '/account/focus?type=invoice_data',
        transfer: order.data.redirect,
        'withdrawal of a reader': '/account/withdrawal',
        'locked article of a reader': locked,
        'confirmation of newsletters': confirm,
      }),
    },
    {
      context: subscriber,
      pages: at({
        'front of a subscriber': '/',
        'account of a subscriber': '/account',
        'payment that succeeded': '/payment/success',
        'payment that failed': '/payment/failure',
        'profile of a subscriber': '/account/profile',
        'another plan': '/account/focus?type=plan',
        invoice,
        'withdrawal of a subscriber': '/account/withdrawal',
        'article of a subscriber': locked,
        'discussion of a subscriber': places.discussion,
      }),
    },
  ]
}
