import type { FormEvent } from 'react'
import { useSite } from '../../app/site-context.ts'
import { useSearch } from '../../app/use-search.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import styles from './search.module.css'

/** The field with what was searched for; without scripts the server leads to the term's own address. */
export function Form({ term }: { term: string }) {
  const t = useT()
  const { href } = useSite()
  const search = useSearch()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    search(String(new FormData(event.currentTarget).get('q') ?? ''))
  }
  return (
    <search>
      <form className={styles.form} action={href('search')} onSubmit={submit}>
        <input className={styles.field} type="search" name="q" defaultValue={term} required maxLength={200} autoComplete="off" enterKeyHint="search" aria-label={t('header.searchField')} placeholder={t('header.searchField')} />
        <Button type="submit">{t('header.search')}</Button>
      </form>
    </search>
  )
}
