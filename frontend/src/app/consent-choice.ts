import { cookie } from '../session/browser.ts'

export type ConsentChoice = 'all' | 'necessary'

/** The cookie that the server sets with the choice; readable, because scripts of others wait for it. */
export const consentCookie = 'gdpr_consent'

/** What the reader of this browser has chosen ("all.3": for version 3 of the text); null: to be asked. */
export function consentChoice(version: string): ConsentChoice | null {
  const [choice, given] = cookie(consentCookie)?.split('.') ?? []
  if (given !== undefined && given !== version) return null
  return choice === 'all' || choice === 'necessary' ? choice : null
}
