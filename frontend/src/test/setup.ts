import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { awaitEffects } from './effects.ts'
import { shareWindow } from './shared-window.ts'

// The files of a worker share packages and a window. Each file loads our own modules anew: some have state that lasts for a visit.
vi.resetModules()
afterAll(shareWindow())
afterAll(awaitEffects())
afterEach(cleanup)
