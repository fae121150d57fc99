import { useEffect, useState } from 'react'
import { useSite } from './site-context.ts'

/** The calendar day in the edition's zone (`format.day`); not in the server's HTML, which is kept longer than a day lasts. */
export function useToday(): string | undefined {
  const { format } = useSite()
  const [today, setToday] = useState<string>()
  useEffect(() => setToday(format.day(Date.now() / 1000)), [format])
  return today
}
