import { useIntl } from 'react-intl'
import type { AppIntl, Translate } from './intl.ts'

/** `const t = useT()`, then `t('header.menu')`: words as a string. */
export const useT = (): Translate => (useIntl() as AppIntl).t
