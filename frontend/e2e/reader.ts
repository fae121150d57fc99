import { expect, type APIRequestContext, type BrowserContext } from '@playwright/test'
import { codesOf, mailedCode, emailsTo, type Edition, type Email } from './paper.ts'

/** An address that nobody has. */
export const addressOf = (edition: Edition, name: string) => `${name}-${Date.now()}-${Math.round(Math.random() * 1e6)}-${edition.id.replaceAll('_', '-')}@example.org`

/** Makes a call of the pages for the reader of a browser, and wants it to succeed. */
export async function call(context: BrowserContext, edition: Pick<Edition, 'origin'>, to: string, data: object, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await context.request.post(edition.origin + to, { headers: { origin: edition.origin, ...headers }, data })
  expect(answer.ok(), `${to}: ${answer.status()} ${await answer.text()}`).toBe(true)
  return answer.json()
}

/** What the paper knows of the reader of a browser; without an address, nobody is signed in. */
export const me = async (context: BrowserContext, edition: Edition) =>
  (await (await context.request.get(`${edition.origin}/user/me/`)).json()) as { user_id?: number; email?: string; comment_name: string; expiration: number; user_agreed_to_terms: string }

/** The code of a mail that came after those with the codes before. */
export async function nextCode(request: APIRequestContext, edition: Edition, address: string, ...before: string[]): Promise<string> {
  let code = ''
  await expect.poll(async () => before.includes((code = await mailedCode(request, edition, address))), { timeout: 30_000 }).toBe(false)
  return code
}

/** The address of another machine each time: one machine may ask for twenty login mails an hour and try thirty codes in five minutes. */
const elsewhere = () => ({ 'x-forwarded-for': `10.${[0, 1, 2].map(() => Math.floor(Math.random() * 256)).join('.')}` })

/** Has the paper mail a code: from then on the browser may look at the page that says so. */
export const askForMail = (context: BrowserContext, edition: Pick<Edition, 'origin'>, email: string, from = elsewhere()) =>
  call(context, edition, '/fns/user-login', { type: 'registration', payload: { email, referrer: '/' } }, from)

/** Signs an address in, or registers it, by its mailed code, which is returned. */
export async function enter(context: BrowserContext, edition: Edition, email: string): Promise<string> {
  const from = elsewhere()
  const before = await codesOf(context.request, edition, email)
  await askForMail(context, edition, email, from)
  const code = await nextCode(context.request, edition, email, ...before)
  await call(context, edition, '/api/login-code-validation', { email, code, referrer: '/', type: 'registration' }, from)
  return code
}

/** A new reader of that name; returns the address. */
export async function register(context: BrowserContext, edition: Edition, name: string): Promise<string> {
  const email = addressOf(edition, name)
  await enter(context, edition, email)
  return email
}

/** Answers every question that pages ask by themselves: agrees to the documents, and allows what is necessary. */
export async function answer(context: BrowserContext, edition: Edition): Promise<void> {
  const { documents } = (await (await context.request.get(`${edition.origin}/api/consent-documents`)).json()) as { documents: { id: string; hash: string }[] }
  await call(context, edition, '/api/set-consent-metadata', { consent: documents.map(({ id }) => id), shown: documents.map(({ hash }) => hash) })
  await call(context, edition, '/api/set-gdpr-consent-cookie', { consent: 'necessary' })
}

/** Buys the monthly plan at the till of the tests, and waits until it is known. */
export async function subscribe(context: BrowserContext, edition: Edition): Promise<void> {
  const order = (await call(context, edition, '/fns/stripe-payment', { product_type: 'product_monthly', payment_method: 'card', referrer: '/' })) as { data: { redirect: string } }
  const paid = await context.request.post(order.data.redirect, { form: { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123', action: 'pay' } })
  expect(paid.url()).toContain('/payment/success')
  await expect.poll(async () => (await me(context, edition)).expiration, { timeout: 20_000 }).toBeGreaterThan(0)
}

/** The newest letter to an address with a link that has a part, and that link. */
export async function letter(request: APIRequestContext, edition: Edition, address: string, part: string): Promise<{ mail: Email; link: string }> {
  let found: { mail: Email; link: string } | undefined
  const look = async () => {
    for (const mail of await emailsTo(request, edition, address)) {
      const link = (mail.text.match(/https?:\/\/\S+/g) ?? []).find((one) => one.includes(part))
      if (link) return (found = { mail, link })
    }
    return undefined
  }
  await expect.poll(look, { timeout: 30_000, message: `a letter to ${address} with ${part}` }).toBeDefined()
  if (!found) throw new Error('it was there')
  return found
}
