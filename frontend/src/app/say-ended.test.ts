import { expect, test, vi } from 'vitest'
import { sayEnded } from './say-ended.ts'

test.each([
  ['/', '/?status=INVALID_TOKEN'],
  ['/account?product_type=product_yearly&referrer=%2Ftema', '/account?product_type=product_yearly&referrer=%2Ftema&status=INVALID_TOKEN'],
  ['/payment/success?session_id=cs_1', '/payment/success?session_id=cs_1&status=INVALID_TOKEN'],
  ['/17/most#odsek', '/17/most?status=INVALID_TOKEN#odsek'],
  ['/account/login?referrer=%2Faccount&status=INVALID_TOKEN', undefined],
  ['/tema?status=PAYMENT_SUCCESS', undefined],
])('a session that is over, at %s', (url, want) => {
  window.history.replaceState(null, '', url)
  const navigate = vi.fn()
  sayEnded({ navigate })
  if (want) expect(navigate).toHaveBeenCalledExactlyOnceWith(want, { replace: true, preventScrollReset: true })
  else expect(navigate).not.toHaveBeenCalled()
})
