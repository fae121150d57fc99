import type { ComponentType } from 'react'
import type { Page } from '../api/page.ts'

export interface PageProps<Data = unknown> {
  page: Page<Data>
}

/** What a file pages/<family>/<name>.page.tsx exports. */
export interface PageModule {
  Page: ComponentType<PageProps<never>>
}

/** A page with the component that shows it. What the server answered counts, not what the address looked like. */
export interface LoadedPage {
  page: Page
  View: ComponentType<PageProps>
}
