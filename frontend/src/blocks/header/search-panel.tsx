import type { FormEvent } from 'react'
import { useSite } from '../../app/site-context.ts'
import { useSearch } from '../../app/use-search.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import styles from './panel.module.css'

/** A search field; a plain form where no script has come yet. */
export function SearchPanel({ onSearch }: { onSearch: () => void }) {
  const t = useT()
  const { href } = useSite()
  const search = useSearch()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (search(String(new FormData(event.currentTarget).get('q') ?? ''))) onSearch()
  }
  return (
    <search id="header-search" className={styles.panel} data-narrow>
      <form className={styles.search} action={href('search')} onSubmit={submit}>
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for this field */}
        <input className={styles.field} type="search" name="q" required autoFocus autoComplete="off" aria-label={t('header.searchField')} placeholder={t('header.searchField')} />
        <Button type="submit">{t('header.search')}</Button>
      </form>
    </search>
  )
}
