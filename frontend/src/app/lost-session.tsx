import { useEffect, type RefObject } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useSession } from '../session/use-session.ts'
import { useLocation, useNavigationState } from './navigation.tsx'
import { useSite } from './site-context.ts'
import { withoutMarks } from './status.ts'

/** The account that the shown page was made for; undefined on a page that is the same for everybody. */
export const useNamedReader = (): number | undefined => useNavigationState().loaded?.page.reader

/** Names that account to the server, which refuses the form if another one is logged in by now. */
export function NamedReader() {
  const reader = useNamedReader()
  return reader ? <input type="hidden" name="user_id" value={reader} /> : null
}

/** What was typed into a plain form that could not be sent because the session was over, by the name of the field. */
export function useUnsent(action: string): (name: string) => string | undefined {
  const unsent = useNavigationState().loaded?.page.unsent
  return (name) => (unsent?.form === action ? unsent.values[name]?.[0] : undefined)
}

/** Likewise, the boxes that were ticked in a form of newsletters. */
export function useUnsentLists(action: string): string[] | undefined {
  const unsent = useNavigationState().loaded?.page.unsent
  return unsent?.form === action ? (unsent.values.lists ?? []) : undefined
}

interface WhyProps {
  /** Where to go on; undefined: this page. */
  back: string | undefined
  /** What went wrong. */
  children: string
}

/** Why a form was not taken: its session is over. The login leads back to this page; a page in a frame stays, and the login opens beside it. */
export function SignedOut({ back, children }: WhyProps) {
  const t = useT()
  const { href } = useSite()
  const { pathname, search } = useLocation()
  const framed = window.parent !== window
  return (
    <>
      {children}{' '}
      {/* This page may still take its reader for logged in, and lead away from the login: the browser asks the server. */}
      <a href={href('login', {}, framed ? {} : { referrer: back ?? withoutMarks(pathname + search) })} target={framed ? '_blank' : undefined} data-native>
        {t('profile.login')}
      </a>
    </>
  )
}

/** Why a form was not taken: another account than the page names is logged in by now. It goes on once the page names that one. */
export function OtherAccount({ back, children }: WhyProps) {
  const t = useT()
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status !== 'reader') return children
  return (
    <>
      {children} {t('account.now', { email: session.reader.userEmail })}{' '}
      <a href={back ?? withoutMarks(pathname + search)} data-native>
        {t('account.goOn')}
      </a>
    </>
  )
}

/** What was typed into a form that could not be sent, in this tab alone, for an hour and for the same reader. */
interface Kept {
  form: string
  reader: number
  at: number
  values: [string, string][]
}

const key = 'typed'
const life = 3_600_000

const nameOf = (form: HTMLFormElement) => `${window.location.pathname} ${form.getAttribute('action')}`

/** Keeps what was typed into a form whose session is over, for when its reader comes back from the login. */
export function keepTyped(form: HTMLFormElement, reader: number | undefined): void {
  if (!reader) return
  const hidden = new Set([...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].map(({ name }) => name))
  const values = [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string' && !hidden.has(pair[0]))
  try {
    sessionStorage.setItem(key, JSON.stringify({ form: nameOf(form), reader, at: Date.now(), values } satisfies Kept))
  } catch {
    // A browser that keeps nothing: the form stays as it is until it is left.
  }
}

/** Puts what was kept of a form back into it, once. */
export function useKeptTyped(form: RefObject<HTMLFormElement | null>): void {
  const reader = useNamedReader()
  useEffect(() => {
    if (form.current && reader) restore(form.current, reader)
  }, [form, reader])
}

function restore(form: HTMLFormElement, reader: number) {
  let kept: Kept
  try {
    kept = JSON.parse(sessionStorage.getItem(key) ?? '') as Kept
  } catch {
    return
  }
  if (kept.form !== nameOf(form)) return
  sessionStorage.removeItem(key)
  if (kept.reader !== reader || kept.at + life < Date.now()) return
  for (const [name, value] of kept.values) {
    for (const field of form.querySelectorAll<HTMLInputElement>(`[name=${CSS.escape(name)}]`)) {
      if (field.type !== 'radio' && field.type !== 'checkbox') field.value = value
      else if (field.value === value && !field.checked) field.click()
    }
  }
}
