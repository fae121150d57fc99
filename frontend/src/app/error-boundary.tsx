import { Component, type ReactNode } from 'react'
import type { NavigationState } from './navigation.tsx'
import { RouteError } from './route-error.tsx'

type Props = Pick<NavigationState, 'location' | 'error'> & { children: ReactNode }
type State = Pick<NavigationState, 'location' | 'error'>

/** Shows why a page could not be loaded, or what was thrown while it was rendered, until the reader goes elsewhere. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, error: this.props.error }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps({ location, error }: Props, state: State): Partial<State> | null {
    if (location !== state.location) return { location, error }
    return error === undefined ? null : { error }
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <RouteError error={this.state.error} />
  }
}
