import type { PageProps } from '../../app/page-module.ts'

export function Page({ page }: PageProps) {
  return <h1 tabIndex={-1}>{page.meta.title}</h1>
}
