import { createElement, useContext, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { ErrorCode } from '../api/codes.ts'
import { ApiError, errorCode } from '../api/error.ts'
import { useT } from '../i18n/use-t.ts'
import { SessionContext } from '../session/use-session.ts'
import { useErrorWords } from './error-words.ts'
import { keepTyped, OtherAccount, SignedOut, useKeptTyped, useNamedReader } from './lost-session.tsx'

export interface Submission {
  /** For the form itself: with scripts, our own words say what is wrong, not the browser's. */
  form: { onSubmit: (event: FormEvent<HTMLFormElement>) => void; ref: (form: HTMLFormElement | null) => void }
  busy: boolean
  /** What is wrong with the field of that name. */
  fieldError: (name: string) => string | undefined
  /** What went wrong otherwise. */
  formError: ReactNode
  /** The code of what went wrong. */
  code: ErrorCode | undefined
}

interface Options {
  /** Sends the form; resolves to where to go next, if anywhere. */
  send: (data: FormData) => Promise<string | undefined>
  /** The code for a field that the browser finds invalid. */
  invalid?: ErrorCode
  /** The fields that show what is wrong with them. */
  shows?: readonly string[]
  /** Where the reader goes on after another login; this page unless given. */
  back?: string
  /** Codes that are about a field, where the server does not say so itself. */
  fields?: Partial<Record<ErrorCode, string>>
}

/** A real form, sent by script: idle, processing, then a full load of the next page, or an error. */
export function useSubmit({ send, invalid = 'INVALID_ARGS', shows = [], fields = {}, back }: Options): Submission {
  const t = useT()
  const ready = useErrorWords(true)
  const session = useContext(SessionContext)
  const reader = useNamedReader()
  const element = useRef<HTMLFormElement | null>(null)
  useKeptTyped(element)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: ErrorCode; field: string | undefined } | null>(null)

  // Coming back from the next page, the browser may show this one as it was left: processing.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) setBusy(false)
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])

  const fail = (form: HTMLFormElement, error: unknown) => {
    const code = errorCode(error)
    const field = (error instanceof ApiError ? error.field : undefined) ?? fields[code] ?? ''
    const shown = shows.includes(field)
    const input = shown ? form.elements.namedItem(field) : null
    setBusy(false)
    setFailure({ code, field: shown ? field : undefined })
    // The form stays as it is: what was typed is kept for the way back from the login, and the page learns who is logged in now.
    if (code === 'INVALID_TOKEN') keepTyped(form, reader)
    if (code === 'FOREIGN_USER') session.load().catch(() => undefined)
    if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) input.focus()
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (busy) return
    const wrong = [...form.elements].find((element): element is HTMLInputElement => element instanceof HTMLInputElement && !element.validity.valid)
    if (wrong) return fail(form, new ApiError(0, invalid, wrong.name))
    setFailure(null)
    setBusy(true)
    send(new FormData(form)).then(
      (to) => (to ? window.location.assign(to) : setBusy(false)),
      (error: unknown) => fail(form, error),
    )
  }

  const words = failure && ready ? t(`status.${failure.code}`) : undefined
  return {
    form: {
      onSubmit,
      ref: (form) => {
        element.current = form
        if (form) form.noValidate = true
      },
    },
    busy,
    fieldError: (name) => (failure?.field === name ? words : undefined),
    formError: failure?.field ? undefined : words && explained(failure?.code, words, back),
    code: failure?.code,
  }
}

/** What went wrong, with the way on where there is one. */
function explained(code: ErrorCode | undefined, words: string, back: string | undefined): ReactNode {
  const Why = code === 'INVALID_TOKEN' ? SignedOut : code === 'FOREIGN_USER' ? OtherAccount : undefined
  return Why ? createElement(Why, { back, children: words }) : words
}

/** A text field of a form, without the spaces around it. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
