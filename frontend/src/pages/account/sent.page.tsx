import { FormattedMessage } from 'react-intl'
import type { SentData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { queryValue } from '../../app/query.ts'
import { useSite } from '../../app/site-context.ts'
import shared from '../../blocks/form-page.module.css'
import { FormPage } from '../../blocks/form-page.tsx'
import type { MessageId } from '../../gen/message-ids.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './account.module.css'
import { AwaitApproval } from './await-approval.tsx'
import { backTo } from './back-to.ts'
import { CodeForm } from './code-form.tsx'
import { Resend } from './resend.tsx'
import { strong } from './strong.tsx'

const titles: Record<SentData['type'], MessageId> = {
  'thankyou-login': 'sent.title.login',
  'login-code': 'sent.title.login',
  'thankyou-registration': 'sent.title.registration',
  'thankyou-campaign': 'sent.title.campaign',
  'thankyou-coupon': 'sent.title.coupon',
}

export function Page({ page }: PageProps<SentData>) {
  const t = useT()
  const { href } = useSite()
  const { type, email, inbox, referrer, inApp, number } = page.data
  const kind = type === 'thankyou-registration' ? 'registration' : 'login'
  const to = email ? <FormattedMessage id="sent.to" values={{ email, strong }} /> : t('sent.toYou')
  const pays = queryValue(referrer, 'pay') !== ''
  const open = inbox && (
    <ButtonLink className={styles.inbox} href={inbox} target="_blank" rel="noopener noreferrer" variant="outline">
      <Icon name="mail" />
      {t('sent.inbox')}
    </ButtonLink>
  )
  return (
    <FormPage
      title={t(pays ? 'sent.title.order' : titles[type])}
      lead={pays ? <>{to} {t('sent.order')}</> : to}
      aside={
        <>
          <Resend kind={kind} email={email} referrer={referrer} />
          <a className={shared.way} href={href('login', {}, backTo(referrer))}>
            {t('sent.change')}
          </a>
        </>
      }
    >
      <CodeForm kind={kind} email={email} referrer={referrer} />
      <LinkHint app={inApp} />
      {open}
      {/* A new reader is signed in nowhere else; but the link may be opened in another tab. */}
      <AwaitApproval kind={kind} email={email} referrer={referrer} number={number} silent={kind === 'registration'} />
    </FormPage>
  )
}

/** The link in the mail is the other way in, but not from inside another app: there it would open a different browser. */
function LinkHint({ app }: { app: string | undefined }) {
  const t = useT()
  return (
    <p className={styles.linkHint} data-app={app}>
      {app ? t('sent.inApp', { app }) : t('sent.link')}
    </p>
  )
}
