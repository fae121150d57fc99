import { useSite } from '../../app/site-context.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './payment.module.css'

/** A payment that was given up or refused. */
export function Page() {
  const t = useT()
  const { edition, href } = useSite()
  const email = edition.supportEmail
  return (
    <FormPage title={t('payment.failure.title')} lead={t('payment.failure.lead')}>
      <p className={shared.text}>{t('payment.failure.text', { email })}</p>
      <div className={styles.ways}>
        <ButtonLink href={href('account')}>{t('action.retry')}</ButtonLink>
        <ButtonLink href={`mailto:${email}`} variant="outline">
          {t('payment.write')}
        </ButtonLink>
      </div>
    </FormPage>
  )
}
