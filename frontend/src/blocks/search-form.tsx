import type { FormEvent } from 'react'
import { useSite } from '../app/site-context.ts'
import { useSearch } from '../app/use-search.ts'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/button.tsx'
import styles from './search-form.module.css'

interface SearchFormProps {
  /** What was searched for. */
  term?: string
  /** For a field that the reader has just asked for. */
  focused?: boolean
  onSearch?: () => void
}

/** A field to search in; without scripts a plain form, and the server leads to the term's own address. */
export function SearchForm({ term, focused = false, onSearch }: SearchFormProps) {
  const t = useT()
  const { href } = useSite()
  const search = useSearch()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (search(String(new FormData(event.currentTarget).get('q') ?? ''))) onSearch?.()
  }
  return (
    <form role="search" className={styles.form} action={href('search')} onSubmit={submit}>
      {/* eslint-disable-next-line jsx-a11y/no-autofocus -- only where the reader has just asked for this field */}
      <input className={styles.field} type="search" name="q" defaultValue={term} required autoFocus={focused} maxLength={200} autoComplete="off" enterKeyHint="search" aria-label={t('header.searchField')} placeholder={t('header.searchField')} />
      <Button type="submit">{t('header.search')}</Button>
    </form>
  )
}
