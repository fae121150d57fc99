import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/button.tsx'
import { reportError } from './report.ts'
import styles from './route-error.module.css'
import { useSite } from './site-context.ts'

/** Stands in for a page that could not be shown. */
export function RouteError() {
  const t = useT()
  const { href } = useSite()
  const error = useRouteError()
  useEffect(() => reportError(error, 'route'), [error])
  return (
    <main className={styles.error}>
      <h1 tabIndex={-1}>{t('error.title')}</h1>
      <p>{t('error.text')}</p>
      <Button onClick={() => window.location.reload()}>{t('error.reload')}</Button>
      <a className={styles.home} href={href('front')} data-native>
        {t('error.home')}
      </a>
    </main>
  )
}
