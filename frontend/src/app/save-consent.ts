import type { ConsentChoice } from '../session/browser.ts'

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
