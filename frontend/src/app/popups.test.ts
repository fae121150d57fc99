import { describe, expect, test } from 'vitest'
import { makeReader } from '../test/render.tsx'
import { asked, noPopups, openPopup, popupOrder, popups, type Facts, type PopupAction, type PopupId } from './popups.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const inDays = (days: number) => now / 1000 + days * 86_400
const facts = (over: Partial<Facts> = {}): Facts => ({
  choice: 'all', session: makeReader({ userAgreedToTerms: 'undefined' }), route: 'front', slug: undefined, documents: ['terms-of-use'],
  selling: true, wanted: false, quiet: false, arrived: false, keyless: false, now, ...over,
})

describe('which questions are open', () => {
  const cases: [string, Partial<Facts>, PopupId[]][] = [
    ['a reader who has not answered', {}, ['terms']],
    ['both', { choice: null }, ['consent', 'terms']],
    ['a visitor without a choice', { choice: null, session: { status: 'guest' } }, ['consent']],
    ['a visitor with one', { session: { status: 'guest' } }, []],
    ['nothing is known yet', { choice: undefined, session: { status: 'unknown' } }, []],
    ...(['true', 'false', 'later', 'privacy', 'terms,privacy'] as const).map((answer): [string, Partial<Facts>, PopupId[]] => [`the answer ${answer}`, { session: makeReader({ userAgreedToTerms: answer }) }, []]),
    ['the notice about privacy', { route: 'static', slug: 'privacy-notice' }, []],
    ['one of the documents', { route: 'static', slug: 'terms-of-use' }, []],
    ['another static page', { route: 'static', slug: 'imprint' }, ['terms']],
    ['cookies are asked about there too', { choice: null, route: 'static', slug: 'privacy-notice' }, ['consent']],
    ['the page after a mail was sent', { route: 'sent' }, []],
    ['logging out', { route: 'logout' }, []],
    ['the link of a mail', { route: 'securityCheck' }, []],
    ['where a subscription is being chosen', { route: 'account' }, []],
    ['where it is being paid', { route: 'paymentSuccess' }, []],
    ['the page with the same questions', { route: 'consent', choice: null }, []],
    ['an error in the place of a page', { route: undefined }, ['terms']],
  ]
  test.each(cases)('%s', (_, over, want) => expect(asked(facts(over))).toEqual(want))
})

describe('notices about the end of access', () => {
  const trial = (days: number) => makeReader({ hasTrial: true, userSubscription: inDays(days), userProduct: 'no_product' })
  const ended = makeReader({ expirationReminder: true })
  const cases: [string, Partial<Facts>, PopupId[]][] = [
    ['a trial that ends in three days', { session: trial(3) }, ['reminder']],
    ['in four', { session: trial(4) }, []],
    ['in four, asked for by the address', { session: trial(4), wanted: true }, ['reminder']],
    ['closed before', { session: trial(3), quiet: true }, []],
    ['closed before, asked for by the address', { session: trial(3), quiet: true, wanted: true }, ['reminder']],
    ['a paid subscription that ends in three days', { session: makeReader({ userSubscription: inDays(3), userProduct: 'product_monthly' }), wanted: true }, []],
    ['access that has ended', { session: ended }, ['expired']],
    ['access that has ended, the reminder closed before', { session: ended, quiet: true }, ['expired']],
    ['access that has ended, closed since', { session: makeReader({ expirationReminder: false }) }, []],
    ['who never had any', { session: makeReader() }, []],
    ['who never had any, asked for by the address', { session: makeReader(), wanted: true }, ['expired']],
    ['an account of the former site', { session: makeReader({ expirationReminder: true, userType: 'wordpress' }), wanted: true }, []],
    ['an edition that sells nothing', { session: ended, selling: false, wanted: true }, []],
    ['a visitor', { session: { status: 'guest' }, wanted: true }, []],
    ['where a subscription is being chosen', { session: ended, route: 'account' }, []],
    ['where it is being paid', { session: ended, route: 'paymentSuccess' }, []],
    ['a new reader', { session: makeReader(), arrived: true }, ['welcome']],
    ['a new reader on the way in', { session: makeReader(), arrived: true, route: 'sent' }, []],
    ...(['account', 'profile', 'sale', 'paymentSuccess', 'paymentFailure', 'registration'] as const).map((route): [string, Partial<Facts>, PopupId[]] => [`a new reader on the page ${route}`, { session: makeReader(), arrived: true, route }, []]),
    ['a new reader who is not known yet', { session: { status: 'unknown' }, arrived: true }, []],
    ['all at once, in order', { choice: null, session: makeReader({ userAgreedToTerms: 'undefined', expirationReminder: true }), arrived: true }, ['consent', 'terms', 'expired', 'welcome']],
  ]
  test.each(cases)('%s', (_, over, want) => expect(asked(facts(over))).toEqual(want))
})

describe('the offer of a passkey', () => {
  const keyless = true
  const cases: [string, Partial<Facts>, PopupId[]][] = [
    ['a reader without one, after a login by a mail', {}, ['passkey']],
    ['a reader with one, or in a browser without them', { keyless: false }, []],
    ['a visitor', { session: { status: 'guest' } }, []],
    ['a reader who is not known yet', { session: { status: 'unknown' } }, []],
    ['cookies come first', { choice: null }, ['consent']],
    ['the choice about cookies is not known yet', { choice: undefined }, []],
    ['terms come first', { session: makeReader({ userAgreedToTerms: 'undefined' }) }, ['terms']],
    ['also where they are being read', { session: makeReader({ userAgreedToTerms: 'undefined' }), route: 'static', slug: 'terms-of-use' }, []],
    ['the end of access comes first', { session: makeReader({ expirationReminder: true }) }, ['expired']],
    ['a greeting comes first', { arrived: true }, ['welcome']],
    ['the page after a mail was sent', { route: 'sent' }, []],
    ['logging out', { route: 'logout' }, []],
    ['where a subscription is being chosen', { route: 'account' }, []],
    ['there, with a notice that is held back', { route: 'account', session: makeReader({ expirationReminder: true }) }, []],
  ]
  test.each(cases)('%s', (_, over, want) => expect(asked(facts({ session: makeReader(), keyless, ...over }))).toEqual(want))
  test.each(popupOrder)('not on a visit on which %s was closed', (id) => expect(openPopup(popups(noPopups, { type: 'close', id }), ['passkey'])).toBeNull())
  test('after all others', () => {
    for (const other of popupOrder.slice(0, -1)) expect(openPopup(noPopups, ['passkey', other])).toBe(other)
    expect(openPopup(noPopups, ['passkey'])).toBe('passkey')
  })
})

describe('one popup at a time', () => {
  const after = (open: readonly PopupId[], ...actions: PopupAction[]) => openPopup(actions.reduce(popups, noPopups), open)
  test('none at first', () => expect(after([])).toBeNull())
  test('by their order, not by the order of asking', () => expect(after(['welcome', 'terms', 'consent'])).toBe('consent'))
  test('each one after those before it', () => {
    const asking = popupOrder.slice(0, -1)
    const shown = asking.map((_, index) => after([...popupOrder].reverse(), ...asking.slice(0, index).map((id): PopupAction => ({ type: 'close', id }))))
    expect(shown).toEqual(['consent', 'terms', 'reminder', 'expired', 'welcome'])
  })
  test('a closed one does not come back by itself', () => expect(after(['consent'], { type: 'close', id: 'consent' })).toBeNull())
  test('but the reader can open it again, asked or not', () => {
    expect(after([], { type: 'close', id: 'consent' }, { type: 'reopen', id: 'consent' })).toBe('consent')
    expect(after(['terms'], { type: 'reopen', id: 'consent' })).toBe('consent')
  })
  test('and close it again', () => expect(after(['consent'], { type: 'reopen', id: 'consent' }, { type: 'close', id: 'consent' })).toBeNull())
  test('what is no longer asked goes', () => expect(after([], { type: 'close', id: 'consent' })).toBeNull())
})
