import { isErrorCode } from '../../../api/codes.ts'
import type { SaleData } from '../../../api/content.ts'
import { useUnsent } from '../../../app/lost-session.tsx'
import type { Submission } from '../../../app/use-submit.ts'
import { useT } from '../../../i18n/use-t.ts'

/** What a plain form was refused with: all that was typed, and why at the field at fault, until the form is sent again. */
export function useTyped(typed: SaleData['typed'], { fieldError, code, busy }: Submission) {
  const t = useT()
  const told = typed && isErrorCode(typed.code) && !code && !busy ? t(`status.${typed.code}`) : undefined
  const unsent = useUnsent('/fns/stripe-quest-payment')
  return {
    value: (name: string) => typed?.values[name] ?? unsent(name),
    error: (...names: string[]) => names.map(fieldError).find(Boolean) ?? (typed && names.includes(typed.field) ? told : undefined),
  }
}
