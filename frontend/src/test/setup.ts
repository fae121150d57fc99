import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { awaitEffects } from './effects.ts'
import { shareWindow } from './shared-window.ts'

// The files of a worker share packages and a window. Modules of our own each file has anew: some keep state for a whole visit.
vi.resetModules()
afterAll(shareWindow())
afterAll(awaitEffects())
afterEach(cleanup)
