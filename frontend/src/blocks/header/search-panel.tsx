import { useRef, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/button.tsx'
import { searchTerm } from './search-term.ts'
import styles from './panel.module.css'

const lockMs = 2000

/** A search field. After a submit it takes no other for two seconds. */
export function SearchPanel({ onSearch }: { onSearch: () => void }) {
  const t = useT()
  const { href } = useSite()
  const navigate = useNavigate()
  const lockedUntil = useRef(0)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const term = searchTerm(String(new FormData(event.currentTarget).get('q') ?? ''))
    if (!term || Date.now() < lockedUntil.current) return
    lockedUntil.current = Date.now() + lockMs
    onSearch()
    void navigate(href('searchTerm', { searchSlug: term }))
  }
  return (
    <search id="header-search" className={styles.panel} data-narrow>
      <form className={styles.search} onSubmit={submit}>
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for this field */}
        <input className={styles.field} type="search" name="q" required autoFocus autoComplete="off" aria-label={t('header.searchField')} placeholder={t('header.searchField')} />
        <Button type="submit">{t('header.search')}</Button>
      </form>
    </search>
  )
}
