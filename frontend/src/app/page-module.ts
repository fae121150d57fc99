import type { ComponentType } from 'react'
import type { Page } from '../api/page.ts'

export interface PageProps<Data = unknown> {
  page: Page<Data>
}

/** What a file pages/<family>/<name>.page.tsx exports. */
export interface PageModule {
  Page: ComponentType<PageProps<never>>
}
