/** A date and a time of day in some time zone; the month is 1 to 12. */
export interface WallClock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

/** The part of Temporal that is used here; not every browser has it yet. */
interface Temporal {
  Instant: { fromEpochMilliseconds: (ms: number) => { toZonedDateTimeISO: (timeZone: string) => { toPlainDateTime: () => WallClock } } }
}

/**
 * Returns the date and time in a time zone of an instant, in milliseconds since 1970. It uses Temporal where the browser has it:
 * on its first use in a page, Intl builds a list of all locales, which takes longer than hydrating any one component.
 */
export function createWallClock(timeZone: string): (ms: number) => WallClock {
  const { Temporal } = globalThis as { Temporal?: Temporal }
  if (Temporal) return (ms) => Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(timeZone).toPlainDateTime()
  // Both the browser's Intl and the server's stand-in answer exactly these options.
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' })
  return (ms) => {
    const clock = { year: 0, month: 0, day: 0, hour: 0, minute: 0 }
    for (const { type, value } of format.formatToParts(ms)) if (type in clock) clock[type as keyof WallClock] = Number(value)
    return clock
  }
}
