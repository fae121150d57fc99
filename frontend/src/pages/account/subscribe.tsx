import { useSite } from '../../app/site-context.ts'
import shared from '../../blocks/form-page.module.css'
import { useT } from '../../i18n/use-t.ts'
import { backTo } from './back-to.ts'

/** The way to the subscriptions, where there are any. */
export function Subscribe({ referrer }: { referrer: string }) {
  const t = useT()
  const { edition, href, has } = useSite()
  if (edition.flags.subscriptions === false || !has('account')) return null
  return (
    <a className={shared.way} href={href('account', {}, backTo(referrer))}>
      {t('login.subscribe')}
    </a>
  )
}
