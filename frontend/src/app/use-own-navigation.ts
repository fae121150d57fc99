import { useCallback } from 'react'
import { useLocation } from './navigation.tsx'

/**
 * Whether this page was reached from one of ours, after it is in a browser: only then may it act without a button. An address
 * that another site leads to, or that was typed in, does nothing by itself.
 */
export function useOwnNavigation(): () => boolean {
  const { key } = useLocation()
  // The first page of a document has the key "default"; any other was reached by a link within the app.
  return useCallback(() => key !== 'default' || (URL.canParse(document.referrer) && new URL(document.referrer).origin === window.location.origin), [key])
}
