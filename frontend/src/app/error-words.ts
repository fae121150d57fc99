import { useContext, useEffect, useState } from 'react'
import { useAppIntl } from '../i18n/use-t.ts'
import { WordsContext } from './words-context.ts'

/** Fetches the words of the status codes when they are wanted; whether they are here. */
export function useErrorWords(wanted: boolean): boolean {
  const intl = useAppIntl()
  const load = useContext(WordsContext)
  const [ready, setReady] = useState(() => intl.has('status.ERROR'))
  useEffect(() => {
    if (!wanted || ready) return
    let live = true
    load('errors').then(
      () => live && setReady(true),
      () => undefined, // without its words the message stays away; the page says the rest
    )
    return () => {
      live = false
    }
  }, [wanted, ready, load])
  return ready
}
