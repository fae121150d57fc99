import { pageAreas } from './page-areas.gen.ts'
import type { RouteId } from './types.ts'

export type AvailableRoute = keyof typeof pageAreas

/** Whether this bundle has a page for the route. */
export const isAvailable = (id: RouteId): id is AvailableRoute => id in pageAreas
