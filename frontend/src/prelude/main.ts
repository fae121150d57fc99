import { Intl } from './intl.ts'
import { URL } from './url.ts'

// Only what is missing is filled in, so that the same file does no harm in an engine that has it all.
const scope = globalThis as unknown as Record<string, unknown>
const fill = (name: string, value: unknown) => {
  scope[name] ??= value
}

type Log = (level: string, text: string) => void
const log = (level: string) => (...values: unknown[]) => (scope.__log as Log | undefined)?.(level, values.map(String).join(' '))

fill('URL', URL)
fill('Intl', Intl)
fill('console', { debug: () => undefined, log: log('info'), info: log('info'), warn: log('warn'), error: log('error') })
fill('setTimeout', () => 0)
fill('clearTimeout', () => undefined)
fill('queueMicrotask', (task: () => void) => void Promise.resolve().then(task))
