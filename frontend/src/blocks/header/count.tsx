import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import styles from './count.module.css'

/** Beside a link to the career page, the number of open positions; none are not mentioned. */
export function Count({ url }: { url: string }) {
  const t = useT()
  const { edition } = useSite()
  if (!edition.careerCount || url !== edition.paths.career) return null
  return (
    <span className={styles.count} role="img" aria-label={t('header.career', { count: edition.careerCount })}>
      {edition.careerCount}
    </span>
  )
}
