import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { MessageId } from '../gen/message-ids.ts'
import { useT } from '../i18n/use-t.ts'
import { Toast } from '../ui/toast.tsx'
import { useErrorWords } from './error-words.ts'
import { statusOf, withoutStatus } from './status.ts'

/** Says what ?status= in the address stands for. Unknown codes say nothing. */
export function Notification({ url }: { url: string }) {
  const t = useT()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  // The first render goes by the page's own address, as the server's did; then by the browser's.
  const [address, setAddress] = useState(url)
  useEffect(() => setAddress(pathname + search), [pathname, search])

  const status = statusOf(address)
  const ready = useErrorWords(status !== null)
  if (!status || !ready) return null
  const close = () => void navigate(withoutStatus(pathname + search + hash), { replace: true, preventScrollReset: true })
  return (
    <Toast key={address} kind={status.kind} closeLabel={t('action.close')} onClose={close}>
      {t(`status.${status.code}` satisfies MessageId)}
    </Toast>
  )
}
