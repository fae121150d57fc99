import { configure, getConfig } from '@testing-library/react'

/**
 * Has a test go on after an effect that follows what it waited for: React runs that in its next task, which on a busy machine
 * may come later than the wait ends. The answer undoes it.
 */
export function awaitEffects(): () => void {
  const { asyncWrapper } = getConfig()
  const nextTask = globalThis.setImmediate // not the one of a test with a clock of its own
  configure({
    asyncWrapper: (wait) =>
      asyncWrapper(async () => {
        const answer = await wait()
        await new Promise((resolve) => nextTask(resolve))
        return answer
      }),
  })
  return () => configure({ asyncWrapper })
}
