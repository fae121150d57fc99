import { useId } from 'react'
import { useT } from '../i18n/use-t.ts'
import styles from './trap.module.css'

/** The name of the field, for whoever sends a form by a script. */
export const trapField = 'website'

/** A field that people neither see nor reach; what programs write into it gives them away to the server. */
export function Trap() {
  const t = useT()
  const id = useId()
  return (
    <p className={styles.trap} aria-hidden="true">
      <label htmlFor={id}>{t('form.trap')}</label>
      <input id={id} name={trapField} tabIndex={-1} autoComplete="off" />
    </p>
  )
}
