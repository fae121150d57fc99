import { createContext, useContext } from 'react'
import type { Discussion } from './use-discussion.ts'

export const DiscussionContext = createContext<Discussion | null>(null)

/** The discussion that the page shows. */
export function useShown(): Discussion {
  const discussion = useContext(DiscussionContext)
  if (!discussion) throw new Error('Outside of a discussion')
  return discussion
}
