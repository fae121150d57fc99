import type { ReactNode } from 'react'
import type { NewsletterStepData } from '../../api/content.ts'
import { NamedReader, useUnsentLists } from '../../app/lost-session.tsx'
import { useSite } from '../../app/site-context.ts'
import { FormPage } from '../../blocks/form-page.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Lists } from './lists.tsx'
import styles from './newsletter.module.css'

type Data = NewsletterStepData

/** What a link of a letter opens. Opening it changes nothing: that is what its one button is for. */
export function Step(data: Data) {
  switch (data.step) {
    case 'confirm':
      return <Confirm {...data} />
    case 'settings':
      return <Settings {...data} />
    case 'leave':
      return <Leave {...data} />
    case 'expired':
      return <Expired {...data} />
    default:
      return <Told step={data.step} />
  }
}

/** A plain form, which needs no script: its answer is a page. */
function Act({ call, token, children }: { call: string; token: string; children: ReactNode }) {
  return (
    <form className={styles.form} method="post" action={`/fns/newsletters/${call}`} data-native>
      {token ? <input type="hidden" name="token" value={token} /> : <NamedReader />}
      {children}
    </form>
  )
}

function Back() {
  const t = useT()
  const { href } = useSite()
  return (
    <ButtonLink href={href('newsletters')} variant="outline">
      {t('newsletter.back')}
    </ButtonLink>
  )
}

function Told({ step }: { step: 'sent' | 'broken' }) {
  const t = useT()
  return (
    <FormPage title={t(`newsletter.${step}.title`)} lead={t(`newsletter.${step}.text`)}>
      <Back />
    </FormPage>
  )
}

function Expired({ token, done }: Data) {
  const t = useT()
  const sent = done === 'sent'
  return (
    <FormPage title={t(sent ? 'newsletter.sent.title' : 'newsletter.expired.title')} lead={t(sent ? 'newsletter.expired.sent' : 'newsletter.expired.text')}>
      {sent ? (
        <Back />
      ) : (
        <Act call="settings-link" token={token}>
          <Button type="submit" wide>
            {t('newsletter.expired.submit')}
          </Button>
        </Act>
      )}
    </FormPage>
  )
}

function Confirm({ token, email, lists, done }: Data) {
  const t = useT()
  if (done) {
    return (
      <FormPage title={t('newsletter.confirm.title')} lead={t('newsletter.confirm.done')}>
        <Back />
      </FormPage>
    )
  }
  return (
    <FormPage title={t('newsletter.confirm.title')} lead={t('newsletter.confirm.text', { email })}>
      <Act call="confirm" token={token}>
        <ul className={styles.asked}>
          {lists.map((list) => (
            <li key={list.id}>
              <strong>{list.name}</strong> – {list.schedule}
            </li>
          ))}
        </ul>
        <Button type="submit" wide>
          {t('newsletter.confirm.submit')}
        </Button>
      </Act>
    </FormPage>
  )
}

function Settings({ token, email, lists, done }: Data) {
  const t = useT()
  const unsent = useUnsentLists('/fns/newsletters/settings')
  return (
    <FormPage title={t('newsletter.settings.title')} lead={t('newsletter.settings.text', { email })}>
      <p className={styles.done} role="status">
        {done && t(done === 'confirmed' ? 'newsletter.confirmed' : 'newsletter.saved')}
      </p>
      <Act call="settings" token={token}>
        <Lists title={t('newsletter.choose')} lists={lists} chosen={({ id, chosen }) => unsent?.includes(id) ?? chosen} />
        <Button type="submit" wide className={styles.submit}>
          {t('newsletter.settings.submit')}
        </Button>
      </Act>
      <Act call="settings" token={token}>
        <Button type="submit" wide variant="outline" className={styles.submit}>
          {t('newsletter.settings.none')}
        </Button>
      </Act>
    </FormPage>
  )
}

function Leave({ token, email, list, done }: Data) {
  const t = useT()
  const state = done === 'left' ? 'left' : 'leave'
  return (
    <FormPage title={t(`newsletter.${state}.title`)} lead={t(`newsletter.${state}.text`, { list, email })}>
      {done === 'left' ? (
        <Back />
      ) : (
        <Act call="leave" token={token}>
          <Button type="submit" wide>
            {t('newsletter.leave.submit')}
          </Button>
        </Act>
      )}
    </FormPage>
  )
}
