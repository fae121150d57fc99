import { ErrorBoundary } from './error-boundary.tsx'
import { useNavigationState } from './navigation.tsx'
import { Root } from './root.tsx'

/** All that the app shows: the page with what stands around it, or an error in their place. */
export function Screen() {
  const { location, error } = useNavigationState()
  return (
    <ErrorBoundary location={location} error={error}>
      <Root />
    </ErrorBoundary>
  )
}
