import { act } from '@testing-library/react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { vi } from 'vitest'

/**
 * Unmounts the apps that a test has started: one that goes on would load its parts with the modules of the next file. The test
 * file needs vi.mock('react-dom/client', { spy: true }).
 */
export function endApps(): void {
  for (const begin of [vi.mocked(createRoot), vi.mocked(hydrateRoot)]) {
    for (const { type, value } of begin.mock.results) if (type === 'return') act(() => value.unmount())
    begin.mockClear()
  }
}
