import { cookie } from '../session/browser.ts'

export type ConsentChoice = 'all' | 'necessary'

/** The cookie that the server sets with the choice; readable, because scripts of others wait for it. */
export const consentCookie = 'gdpr_consent'

/** What the reader of this browser has chosen; null: not asked yet. */
export function consentChoice(): ConsentChoice | null {
  const value = cookie(consentCookie)?.split(/[.:|]/)[0]
  return value === 'all' || value === 'necessary' ? value : null
}

/** Saves the choice with the server, which keeps a record of it and sets the cookie. */
export async function saveConsent(consent: ConsentChoice): Promise<void> {
  const response = await fetch('/api/set-gdpr-consent-cookie', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ consent }),
  })
  if (!response.ok) throw new Error(`Consent was answered with ${response.status}`)
}
