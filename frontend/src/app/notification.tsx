import { useEffect, useState } from 'react'
import { guestRoutes } from '../editions/routes.ts'
import type { MessageId } from '../gen/message-ids.ts'
import { useAppIntl } from '../i18n/use-t.ts'
import { Toast } from '../ui/toast.tsx'
import { useErrorWords } from './error-words.ts'
import { useLocation, useNavigate } from './navigation.tsx'
import { useSite } from './site-context.ts'
import { statusOf, withoutMarks, withoutStatus } from './status.ts'

/** Says what ?status= in the address stands for. Unknown codes say nothing. */
export function Notification({ url }: { url: string }) {
  const { t, has } = useAppIntl()
  const { pathname, search, hash } = useLocation()
  const { href } = useSite()
  const navigate = useNavigate()
  // The first render goes by the page's own address, as the server's did; then by the browser's.
  const [address, setAddress] = useState(url)
  useEffect(() => setAddress(pathname + search), [pathname, search])

  const status = statusOf(address)
  // Without a connection its words could not be fetched either: they are here.
  const cut = status?.code === 'CONNECTION_FAILED'
  const ready = useErrorWords(status !== null && !cut)
  const words: MessageId | null = status && (cut ? 'error.passes' : `status.${status.code}`)
  if (!status || !words || !(ready || cut) || !has(words)) return null
  // Who was logged out unawares has the time to read it, and a way back to this very page.
  const again = status.code === 'INVALID_TOKEN' && !guestRoutes.some((route) => href(route) === pathname)
  const back = withoutMarks(pathname + search)
  const close = () => navigate(withoutStatus(pathname + search + hash), { replace: true, preventScrollReset: true })
  return (
    <Toast key={address} kind={status.kind} closeLabel={t('action.close')} onClose={close} stays={again}>
      {t(words)}
      {again && (
        <>
          {' '}
          <a href={href('login', {}, { referrer: back === '/' ? undefined : back })} data-native>{t('profile.login')}</a>
        </>
      )}
    </Toast>
  )
}
