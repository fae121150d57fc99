import type { ComponentType } from 'react'
import { useLoaderData } from 'react-router'
import type { Page } from '../api/page.ts'
import type { PageProps } from './page-module.ts'

/** A page with the component that shows it. What the server answered counts, not what the address looked like. */
export interface LoadedPage {
  page: Page
  View: ComponentType<PageProps>
}

export function PageView() {
  const { page, View } = useLoaderData<LoadedPage>()
  return <View key={page.url.split('?')[0]} page={page} />
}
