import { FormattedMessage } from 'react-intl'
import { useErrorWords } from '../../app/error-words.ts'
import { useSite } from '../../app/site-context.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import styles from './account.module.css'
import { strong } from './strong.tsx'
import { useLinkLogin, type LinkLogin } from './use-link-login.ts'

const titles: Record<LinkLogin['step'], MessageId> = {
  waiting: 'link.title.waiting',
  confirm: 'link.title.confirm',
  missing: 'link.title.failed',
  failed: 'link.title.failed',
}

/** Where the link of a login mail leads. Opening it does nothing yet: mail programs open links too. */
export function Page() {
  const t = useT()
  const [state, confirm] = useLinkLogin()
  return (
    <FormPage title={t(titles[state.step])} moment={state.step}>
      <div className={styles.link}>
        <Step state={state} onConfirm={confirm} />
        <noscript>
          <p className={shared.text}>{t('link.noscript')}</p>
        </noscript>
      </div>
    </FormPage>
  )
}

function Step({ state, onConfirm }: { state: LinkLogin; onConfirm: () => void }) {
  const t = useT()
  const { href } = useSite()
  const words = useErrorWords(true)
  if (state.step === 'waiting') {
    return (
      <p className={styles.waiting} role="status">
        {t('link.waiting')}
      </p>
    )
  }
  if (state.step === 'confirm') {
    return (
      <>
        <p className={shared.text}>
          <FormattedMessage id="link.confirm" values={{ email: state.email, strong }} />
        </p>
        <Button wide busy={state.busy} onClick={onConfirm}>
          {state.busy ? t('action.processing') : t('login.submit')}
        </Button>
        <p className={styles.note}>{t('link.stranger')}</p>
      </>
    )
  }
  return (
    <>
      <p className={shared.text} role="alert">
        {state.step === 'missing' ? t('link.missing') : words && t(`status.${state.code}`)}
      </p>
      <ButtonLink href={href('login')} wide>
        {t('link.again')}
      </ButtonLink>
    </>
  )
}
