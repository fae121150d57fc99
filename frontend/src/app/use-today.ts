import { useEffect, useState } from 'react'
import type { Page } from '../api/page.ts'
import { useSite } from './site-context.ts'

/**
 * The calendar day in the edition's zone (`format.day`): that of the page's making at first, so that server and
 * browser say the same and nothing moves; then the present one, which differs around midnight alone, and again whenever
 * the reader comes back to a tab that was left open.
 */
export function useToday(page: Page): string {
  const { format } = useSite()
  const [today, setToday] = useState(page.today)
  useEffect(() => {
    const look = () => setToday(format.day(Date.now() / 1000))
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [format])
  return today
}
