const hour = 3_600_000

/** The number of a day, counted two hours east of Greenwich all year, so that every edition turns the page at the same moment. */
const dayOf = (ms: number) => Math.floor((ms + 2 * hour) / (24 * hour))

/** Whether access that ends at that second ends on the third day from now. */
export const endsInThreeDays = (endSeconds: number, nowMs: number) => dayOf(endSeconds * 1000) - dayOf(nowMs) === 3
