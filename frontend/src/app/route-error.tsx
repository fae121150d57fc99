import { useEffect } from 'react'
import { ApiError } from '../api/error.ts'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/button.tsx'
import { reportError } from './report.ts'
import styles from './route-error.module.css'
import { useSite } from './site-context.ts'

/** Stands in for a page that could not be shown. */
export function RouteError({ error }: { error: unknown }) {
  const t = useT()
  const { href } = useSite()
  // A server that has too much to do, or none within reach, is no fault to report: it passes.
  const passes = error instanceof ApiError && (error.status === 503 || error.code === 'CONNECTION_FAILED')
  useEffect(() => {
    if (!passes) reportError(error, 'route')
  }, [error, passes])
  return (
    <main className={styles.error}>
      <h1 tabIndex={-1}>{t('error.title')}</h1>
      <p>{t(passes ? 'error.passes' : 'error.text')}</p>
      <Button onClick={() => window.location.reload()}>{t('error.reload')}</Button>
      <a className={styles.home} href={href('front')} data-native>
        {t('error.home')}
      </a>
    </main>
  )
}
