import { createContext } from 'react'
import type { Area } from '../gen/message-ids.ts'

/** Fetches an area of words into the running app. On the server all are there from the start. */
export const WordsContext = createContext<(area: Area) => Promise<void>>(() => Promise.resolve())
