import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { useSite } from '../../app/site-context.ts'
import styles from './account.module.css'

const named = ['terms', 'privacy']

/** The field that tells the server which versions of the documents stood there. */
export const agreedField = 'agreed'

/** What is agreed to by going on. An edition without one of the documents names it without a link. */
export function Legal() {
  const { edition, href } = useSite()
  const link = (id: string) => {
    const document = edition.consent.documents.find((one) => one.id === id)
    const Linked = (parts: ReactNode) => (document ? <a href={href('static', { articleSlug: document.static })}>{parts}</a> : parts)
    return Linked
  }
  return (
    <p className={styles.legal}>
      <input type="hidden" name={agreedField} value={edition.consent.documents.flatMap(({ id, version }) => (named.includes(id) ? `${id}@${version}` : [])).join(' ')} />
      <FormattedMessage id="account.legal" values={{ terms: link('terms'), privacy: link('privacy') }} />
    </p>
  )
}
