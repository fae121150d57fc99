import { FormattedMessage } from 'react-intl'
import type { EmailChangeData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { NamedReader } from '../../app/lost-session.tsx'
import { useSite } from '../../app/site-context.ts'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import styles from './email-change.module.css'
import { KeepPasskeys } from './profile/keep-passkeys.tsx'
import { strong } from './strong.tsx'

/** Where the mails of a change of address lead. Opening it changes nothing: that is what its buttons are for. */
export function Page({ page: { data } }: PageProps<EmailChangeData>) {
  const t = useT()
  const { href, format } = useSite()
  const { step, token, side, from, to, until } = data
  if (step === 'passkey') return <UndoPasskey token={token} />
  if (step === 'passkeyGone') {
    return (
      <FormPage title={t('passkeyUndo.title')} lead={t('passkeyUndo.gone')}>
        <ButtonLink href={href('login')} variant="outline">
          {t('profile.login')}
        </ButtonLink>
      </FormPage>
    )
  }
  if (step === 'confirm') {
    return (
      <FormPage title={t('emailChange.title')} lead={<FormattedMessage id="emailChange.confirm.text" values={{ from, to, strong }} />}>
        <form className={styles.form} method="post" action="/fns/user-email/confirm" data-native>
          <input type="hidden" name="token" value={token} />
          <KeepPasskeys />
          <Button type="submit" wide>
            {t('emailChange.confirm.submit')}
          </Button>
        </form>
        <form className={styles.form} method="post" action="/fns/user-email/cancel" data-native>
          <input type="hidden" name="token" value={token} />
          <Button type="submit" wide variant="outline">
            {t('emailChange.confirm.cancel')}
          </Button>
        </form>
      </FormPage>
    )
  }
  if (step === 'late') {
    return (
      <FormPage title={t('emailChange.title')} lead={<FormattedMessage id="emailChange.late.text" values={{ at: format.dateTime(until), to, strong }} />}>
        <form className={styles.form} method="post" action="/fns/user-email" data-native>
          <NamedReader />
          <input type="hidden" name="email" value={to} />
          <Button type="submit" wide>
            {t('emailChange.late.submit')}
          </Button>
        </form>
      </FormPage>
    )
  }
  const lead = {
    waiting: t(side === 'old' ? 'emailChange.waiting.old' : 'emailChange.waiting.new', { at: format.dateTime(until) }),
    done: <FormattedMessage id="emailChange.done.text" values={{ to, strong }} />,
    broken: t('emailChange.broken.text'),
  }[step]
  return (
    <FormPage title={t('emailChange.title')} lead={lead}>
      <ButtonLink href={href('profile')} variant="outline">
        {t('emailChange.profile')}
      </ButtonLink>
    </FormPage>
  )
}

/** Where the email about a new passkey leads. Its button removes the passkey; opening the page does not. */
function UndoPasskey({ token }: { token: string }) {
  const t = useT()
  return (
    <FormPage title={t('passkeyUndo.title')} lead={t('passkeyUndo.lead')}>
      <form className={styles.form} method="post" action="/fns/passkeys/undo" data-native>
        <input type="hidden" name="token" value={token} />
        <Button type="submit" wide>
          {t('passkeyUndo.submit')}
        </Button>
      </form>
      <p>{t('passkeyUndo.own')}</p>
    </FormPage>
  )
}
