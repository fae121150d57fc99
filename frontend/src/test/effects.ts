import { configure, getConfig } from '@testing-library/react'

/**
 * Makes each wait of a test last until the effects of what it waited for have run: React runs them in its next task, which on a
 * busy machine may begin after the wait has ended. The function that it returns undoes this.
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
