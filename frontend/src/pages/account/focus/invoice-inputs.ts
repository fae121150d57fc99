import type { InputHTMLAttributes } from 'react'
import type { InvoiceData } from '../../../api/account.ts'
import type { MessageId } from '../../../gen/message-ids.ts'

export type InvoiceField = Exclude<keyof InvoiceData, 'client_type'>

/** One field of the form, with what browsers may fill in. */
export interface Input extends Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'required' | 'autoComplete' | 'inputMode' | 'autoCapitalize' | 'spellCheck'> {
  name: InvoiceField
  label: MessageId
  hint?: MessageId
}

export const companyInputs: readonly Input[] = [
  { name: 'company_name', label: 'focusPage.data.companyName', autoComplete: 'organization' },
  { name: 'company_ICO', label: 'focusPage.data.ico', autoComplete: 'off' },
  { name: 'company_DIC', label: 'focusPage.data.dic', autoComplete: 'off' },
  { name: 'company_IC_DPH', label: 'focusPage.data.icDph', autoComplete: 'off' },
]

export const personInputs: readonly Input[] = [
  { name: 'name', label: 'focusPage.data.name', autoComplete: 'name' },
  { name: 'email', label: 'focusPage.data.email', hint: 'focusPage.data.emailHint', type: 'email', required: true, autoComplete: 'email', autoCapitalize: 'none', spellCheck: false },
]

export const streetInputs: readonly Input[] = [
  { name: 'line1', label: 'focusPage.data.line1', autoComplete: 'address-line1' },
  { name: 'line2', label: 'focusPage.data.line2', autoComplete: 'address-line2' },
]

export const placeInputs: readonly Input[] = [
  { name: 'postal_code', label: 'focusPage.data.postalCode', autoComplete: 'postal-code' },
  { name: 'city', label: 'focusPage.data.city', autoComplete: 'address-level2' },
]

/** All fields, in the order of the form. */
export const names: readonly InvoiceField[] = [...companyInputs, ...personInputs, ...streetInputs, ...placeInputs].map(({ name }) => name).concat('country')
