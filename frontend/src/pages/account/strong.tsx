import type { ReactNode } from 'react'

/** For <strong> in messages. */
export const strong = (parts: ReactNode) => <strong>{parts}</strong>
