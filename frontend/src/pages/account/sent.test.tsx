import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls, watchLeaving } from '../../test/calls.ts'
import { makePage, render } from '../../test/render.tsx'
import { Page as Sent } from './sent.page.tsx'

const address = 'jana@north.example'
const sent = makePage({ type: 'thankyou-login', email: address, referrer: '/17/most', inbox: 'https://mail.example/' } as const, { route: 'sent', url: '/account/sent' })

afterEach(() => void vi.useRealTimers())

test.each([
  ['thankyou-login', '/17/most', ['Pozrite si e-mail', 'Ste prihlásení inde?'], ['Potom budete pokračovať']],
  ['thankyou-registration', '/17/most', ['Potvrďte svoju registráciu'], ['Ste prihlásení inde?', 'Čakáme na vaše potvrdenie', 'Potom budete pokračovať']],
  ['thankyou-registration', '/account?product_type=product_monthly&pay=1', ['Potvrďte svoj e-mail', 'Potom budete pokračovať rovno k platbe.'], ['Ste prihlásení inde?', 'registráciu']],
] as const)('after %s on the way to %s the page says what follows, and asks a new reader for no other device', (type, referrer, says, not) => {
  render(<Sent page={{ ...sent, data: { ...sent.data, type, referrer } }} />)
  for (const words of [address, ...says]) expect(document.body.textContent).toContain(words)
  for (const words of not) expect(document.body.textContent).not.toContain(words)
})

test('a new reader who opens the link in another tab is led on here, too', async () => {
  vi.useFakeTimers()
  answerCalls({ '/api/login-approval': [[200, { success: true, status: 'signed_in', data: { redirect: '/17/most' } }]] })
  const assign = watchLeaving()
  render(<Sent page={{ ...sent, data: { ...sent.data, type: 'thankyou-registration' } }} />)
  await vi.advanceTimersByTimeAsync(3100)
  expect(assign).toHaveBeenCalledWith('/17/most')
})
