import { useSite } from '../../../app/site-context.ts'
import shared from '../../../blocks/form-page.module.css'
import { useT } from '../../../i18n/use-t.ts'

export function Back() {
  const t = useT()
  const { href } = useSite()
  return (
    <a className={shared.way} href={href('profile')}>
      {t('focusPage.back')}
    </a>
  )
}
