import { setInvoiceData } from '../../../api/account.ts'
import { isErrorCode, isSuccessCode } from '../../../api/codes.ts'
import type { FocusInvoiceData } from '../../../api/content.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useSite } from '../../../app/site-context.ts'
import { withStatus } from '../../../app/status.ts'
import { textOf, useSubmit } from '../../../app/use-submit.ts'
import { FormPage } from '../../../blocks/form-page.tsx'
import type { MessageId } from '../../../gen/message-ids.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Select } from '../../../ui/select.tsx'
import { Back } from './back.tsx'
import styles from './focus.module.css'
import { companyInputs, names, personInputs, placeInputs, streetInputs, type Input, type InvoiceField } from './invoice-inputs.ts'

/** What the code about country and postal code means at either of them. */
const atField: Partial<Record<InvoiceField, MessageId>> = { country: 'focusPage.data.wrong.country', postal_code: 'focusPage.data.wrong.postalCode' }

/** What stands on a reader's invoices. Who pays as an individual is not asked about a company; style alone hides that part. */
export function InvoiceData({ values, problems, countries, vatExample }: FocusInvoiceData) {
  const t = useT()
  const { href } = useSite()
  const { form, busy, fieldError, formError, code } = useSubmit({
    invalid: 'INVALID_EMAIL',
    shows: names,
    fields: { INVALID_EMAIL: 'email' },
    send: async (data) => {
      const wrongNumber = await setInvoiceData(Object.fromEntries(['client_type', ...names].map((name) => [name, textOf(data, name)])))
      return wrongNumber ? withStatus(href('focus', {}, { type: 'invoice_data' }), wrongNumber) : withStatus(href('profile'), 'INVOICE_DATA_UPDATED')
    },
  })
  const wrong = (name: InvoiceField) => {
    const now = fieldError(name)
    if (now) return code === 'INVALID_INVOICE_DATA' ? t(atField[name] ?? 'status.INVALID_INVOICE_DATA') : now
    if (code) return undefined
    const told = problems.find(({ field }) => field === name)?.code
    if (!told) return undefined
    if (told === 'VAT_NUMBER_INVALID') return t('focusPage.data.wrong.icDph', { example: vatExample })
    return told === 'INVALID_INVOICE_DATA' ? t(atField[name] ?? 'status.INVALID_INVOICE_DATA') : t(`status.${isErrorCode(told) || isSuccessCode(told) ? told : 'ERROR'}`)
  }
  const input = ({ name, label, hint, ...rest }: Input) => (
    <Field key={name} {...rest} label={t(label)} hint={hint && t(hint)} name={name} maxLength={120} defaultValue={values[name]} error={wrong(name)} className={name === 'postal_code' ? styles.postalCode : name === 'city' ? styles.city : undefined} />
  )
  return (
    <FormPage title={t('focusPage.data.title')} lead={t('focusPage.data.lead')}>
      <form {...form} className={styles.form} method="post" action="/fns/user-data-set">
        <NamedReader />
        <fieldset className={styles.group}>
          <legend>{t('focusPage.data.client')}</legend>
          <div className={styles.kinds}>
            {(['individual', 'legal_entity'] as const).map((kind) => (
              <label key={kind} className={styles.kind}>
                <input type="radio" name="client_type" value={kind} defaultChecked={values.client_type === kind} />
                {t(kind === 'legal_entity' ? 'focusPage.data.legalEntity' : 'focusPage.data.individual')}
              </label>
            ))}
          </div>
          <div className={styles.company}>{companyInputs.map(input)}</div>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{t('focusPage.data.contact')}</legend>
          <div className={styles.fields}>{personInputs.map(input)}</div>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{t('focusPage.data.address')}</legend>
          <div className={styles.fields}>
            {streetInputs.map(input)}
            {placeInputs.map(input)}
            <Select label={t('focusPage.data.country')} name="country" autoComplete="country" defaultValue={values.country} error={wrong('country')}>
              <option value="">{t('focusPage.data.country.none')}</option>
              {countries.every(({ code: known }) => known !== values.country) && values.country !== '' && <option value={values.country}>{values.country}</option>}
              {countries.map(({ code: country, name }) => (
                <option key={country} value={country}>
                  {name}
                </option>
              ))}
            </Select>
          </div>
        </fieldset>
        <Button type="submit" wide busy={busy}>
          {busy ? t('action.processing') : t('focusPage.data.submit')}
        </Button>
        <FormError>{formError}</FormError>
        <Back />
      </form>
    </FormPage>
  )
}
