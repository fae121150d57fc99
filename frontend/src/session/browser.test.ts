import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createSite } from '../editions/site.ts'
import { editions } from '../test/editions.ts'
import { browserSession } from './browser.ts'

// What the server says of a session must not take the reader away from a page: what was chosen and typed there would be lost.
describe.each(Object.values(editions))('a session that is over, at $id', (edition) => {
  const site = createSite(edition, { months: [], days: [] } as never)
  let assign: ReturnType<typeof vi.spyOn>
  beforeEach(() => {
    assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  })
  const end = (url: string, reason: Parameters<ReturnType<typeof browserSession>['onEnded']>[0], cookie = '') => {
    window.history.replaceState(null, '', url)
    document.cookie = 'logged_user=handle; Path=/'
    const sayEnded = vi.fn()
    browserSession(site, sayEnded).onEnded(reason, cookie)
    expect(document.cookie).not.toContain('handle')
    return sayEnded
  }

  test.each(['/', '/17/most', '/account?product_type=product_yearly&referrer=/tema', '/account/coupon', '/account/gift', '/payment/success?session_id=cs_1', '/account/login?referrer=%2Faccount'])('stays at %s and says so', (url) => {
    for (const reason of ['EXPIRED_LOGIN', 'INVALID_HASH', 'OUTDATED_COOKIE_VERSION'] as const) expect(end(url, reason)).toHaveBeenCalledOnce()
    expect(assign).not.toHaveBeenCalled()
  })
  test.each([`${site.href('securityCheck')}#hash=x`, `${site.href('emailChange')}?token=x`])('says nothing at %s', (url) => {
    expect(end(url, 'EXPIRED_LOGIN')).not.toHaveBeenCalled()
    expect(assign).not.toHaveBeenCalled()
  })
  test('is exchanged for a newer one where the server offers that', () => {
    end('/tema', 'OUTDATED_COOKIE_VERSION', 'new')
    expect(assign).toHaveBeenCalledExactlyOnceWith(`${site.href('securityCheck')}#hash=new`)
  })
})
