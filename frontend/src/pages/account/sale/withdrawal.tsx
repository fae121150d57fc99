import type { SaleData } from '../../../api/content.ts'
import { stateWithdrawal } from '../../../api/payments.ts'
import { useSite } from '../../../app/site-context.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { EmailField } from '../../../ui/email-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import shared from '../../../blocks/form-page.module.css'
import account from '../account.module.css'
import styles from './sale.module.css'
import { useTyped } from './use-typed.ts'

type Data = NonNullable<SaleData['withdrawal']>

const contracts = ['subscription', 'gift'] as const

/** Withdrawing from a contract: state it, check it and send it, see when it was received. */
export function Withdrawal({ withdrawal, typed }: SaleData) {
  if (!withdrawal) return null
  switch (withdrawal.state) {
    case 'form':
      return <Statement typed={typed} />
    case 'confirm':
      return <Confirm {...withdrawal} />
    case 'late':
      return withdrawal.name ? <Late {...withdrawal} /> : <Statement typed={typed} late />
    case 'received':
      return <Received {...withdrawal} />
    case 'mailbox':
      return <Mailbox {...withdrawal} />
    case 'confirmed':
      return <Confirmed {...withdrawal} />
  }
}

function Statement({ typed, late = false }: Pick<SaleData, 'typed'> & { late?: boolean }) {
  const t = useT()
  const submission = useSubmit({
    fields: { INVALID_EMAIL: 'email' },
    shows: ['name', 'email'],
    send: (data) => stateWithdrawal({ name: textOf(data, 'name'), email: textOf(data, 'email'), contract: textOf(data, 'contract') === 'gift' ? 'gift' : 'subscription' }),
  })
  const { form, busy, formError } = submission
  const { value, error } = useTyped(typed, submission)
  return (
    <FormPage title={t(late ? 'sale.withdrawal.late.title' : 'sale.withdrawal.title')} lead={t(late ? 'sale.withdrawal.late.again' : 'sale.withdrawal.lead')}>
      <form {...form} className={account.form} method="post" action="/fns/withdrawal">
        <Field label={t('sale.withdrawal.name')} name="name" required maxLength={80} autoComplete="name" defaultValue={value('name')} error={error('name')} />
        <EmailField label={t('sale.withdrawal.email')} defaultValue={value('email')} error={error('email')} hint={t('sale.withdrawal.emailHint')} />
        <fieldset className={styles.choices}>
          <legend className={styles.legend}>{t('sale.withdrawal.contract')}</legend>
          {contracts.map((contract) => (
            <label key={contract} className={styles.choice}>
              <input type="radio" name="contract" value={contract} defaultChecked={contract === (value('contract') ?? 'subscription')} className={styles.radio} />
              <span>{t(`sale.withdrawal.${contract}`)}</span>
            </label>
          ))}
        </fieldset>
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('sale.withdrawal.next')}
        </Button>
        <FormError>{formError}</FormError>
      </form>
    </FormPage>
  )
}

/** A plain form, with scripts or without: its answer is the page that says when it was received. */
function Confirm({ statement, ...stated }: Data) {
  const t = useT()
  return (
    <FormPage title={t('sale.withdrawal.confirm.title')} lead={t('sale.withdrawal.confirm.lead')}>
      <form className={account.form} method="post" action="/fns/withdrawal-confirm" data-native>
        <Sent statement={statement} {...stated} />
        <Button type="submit" wide>
          {t('sale.withdrawal.confirm.submit')}
        </Button>
        <Change />
      </form>
    </FormPage>
  )
}

/** The second step came too late: nothing was sent, nothing typed is lost, and one more click sends it. */
function Late({ statement, ...stated }: Data) {
  const t = useT()
  return (
    <FormPage title={t('sale.withdrawal.late.title')} lead={t('sale.withdrawal.late.lead')}>
      <form className={account.form} method="post" action="/fns/withdrawal-confirm" data-native>
        <input type="hidden" name="again" value="1" />
        <Sent statement={statement} {...stated} />
        <Button type="submit" wide>
          {t('sale.withdrawal.late.submit')}
        </Button>
        <Change />
      </form>
    </FormPage>
  )
}

/** The content goes along: should the link come too late, it is not lost. */
function Sent({ statement, ...stated }: Pick<Data, 'statement' | 'name' | 'email' | 'contract'>) {
  return (
    <>
      <input type="hidden" name="statement" value={statement} />
      <input type="hidden" name="name" value={stated.name} />
      <input type="hidden" name="email" value={stated.email} />
      <input type="hidden" name="contract" value={stated.contract} />
      <Stated {...stated} />
    </>
  )
}

function Change() {
  const t = useT()
  const { href } = useSite()
  return (
    <a className={shared.way} href={href('sale', { saleStep: 'withdrawal' })}>
      {t('sale.withdrawal.confirm.change')}
    </a>
  )
}

/** Who was not logged in has to confirm it from the mailbox. */
function Received({ own, ...stated }: Data) {
  const t = useT()
  const { email, receivedAt } = stated
  const { format } = useSite()
  const date = receivedAt ? format.dateTime(receivedAt) : ''
  return (
    <FormPage title={t('sale.withdrawal.received.title')} lead={t(own ? 'sale.withdrawal.received.text' : 'sale.withdrawal.received.mailbox', { date, email })}>
      <Stated {...stated} />
    </FormPage>
  )
}

/** Reached by the link in the mailbox; looking changes nothing. */
function Mailbox({ statement, receivedAt, ...stated }: Data) {
  const t = useT()
  const { format } = useSite()
  const date = receivedAt ? format.dateTime(receivedAt) : ''
  return (
    <FormPage title={t('sale.withdrawal.mailbox.title')} lead={t('sale.withdrawal.mailbox.lead', { date })}>
      <form className={account.form} method="post" action="/fns/withdrawal-confirm" data-native>
        <input type="hidden" name="statement" value={statement} />
        <Stated {...stated} />
        <Button type="submit" wide>
          {t('sale.withdrawal.mailbox.submit')}
        </Button>
        <p className={shared.text}>{t('sale.withdrawal.mailbox.stranger')}</p>
      </form>
    </FormPage>
  )
}

function Confirmed({ email, receivedAt }: Data) {
  const t = useT()
  const { format } = useSite()
  const date = receivedAt ? format.dateTime(receivedAt) : ''
  return <FormPage title={t('sale.withdrawal.confirmed.title')} lead={t('sale.withdrawal.confirmed.text', { date, email })} />
}

function Stated({ name, email, contract }: Pick<Data, 'name' | 'email' | 'contract'>) {
  const t = useT()
  return <p className={styles.statement}>{t('sale.withdrawal.confirm.statement', { name, email, contract: t(`sale.withdrawal.${contract}`) })}</p>
}
