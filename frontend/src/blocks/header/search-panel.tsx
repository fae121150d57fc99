import { SearchForm } from '../search-form.tsx'
import styles from './panel.module.css'

/** A search field; a plain form where no script has come yet. */
export function SearchPanel({ onSearch }: { onSearch: () => void }) {
  return (
    <div id="header-search" className={styles.panel} data-narrow>
      <div className={styles.search}>
        <SearchForm focused onSearch={onSearch} />
      </div>
    </div>
  )
}
