import { createContext, useContext } from 'react'
import type { Site } from '../editions/site.ts'

export const SiteContext = createContext<Site | null>(null)

/** The edition, its addresses and its formats. */
export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteContext above it')
  return site
}
