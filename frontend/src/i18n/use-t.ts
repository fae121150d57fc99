import { useIntl } from 'react-intl'
import type { AppIntl, Translate } from './intl.ts'

export const useAppIntl = () => useIntl() as unknown as AppIntl

/** `const t = useT()`, then `t('header.menu')`: words as a string. */
export const useT = (): Translate => useAppIntl().t
