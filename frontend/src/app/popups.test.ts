import { describe, expect, test } from 'vitest'
import { makeReader } from '../test/render.tsx'
import { asked, noPopups, openPopup, popupOrder, popups, type Facts, type PopupAction, type PopupId } from './popups.ts'

const facts = (over: Partial<Facts> = {}): Facts => ({
  choice: 'all', session: makeReader({ userAgreedToTerms: 'undefined' }), route: 'front', slug: undefined, documents: ['terms-of-use'], ...over,
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
    ['the page with the same questions', { route: 'consent', choice: null }, []],
    ['an error in the place of a page', { route: undefined }, ['terms']],
  ]
  test.each(cases)('%s', (_, over, want) => expect(asked(facts(over))).toEqual(want))
})

describe('one popup at a time', () => {
  const after = (open: readonly PopupId[], ...actions: PopupAction[]) => openPopup(actions.reduce(popups, noPopups), open)
  test('none at first', () => expect(after([])).toBeNull())
  test('by their order, not by the order of asking', () => expect(after(['welcome', 'terms', 'consent'])).toBe('consent'))
  test('each one after those before it', () => {
    const shown = popupOrder.map((_, index) => after([...popupOrder].reverse(), ...popupOrder.slice(0, index).map((id): PopupAction => ({ type: 'close', id }))))
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
