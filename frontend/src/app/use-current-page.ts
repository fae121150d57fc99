import { useMatches } from 'react-router'
import type { Page } from '../api/page.ts'
import type { LoadedPage } from './page-view.tsx'

/** The page that is shown; none while an error stands in its place. */
export function useCurrentPage(): Page | undefined {
  const matches = useMatches()
  return (matches.at(-1)?.loaderData as LoadedPage | undefined)?.page
}
