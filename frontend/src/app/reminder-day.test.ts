import { expect, test } from 'vitest'
import { endsInThreeDays } from './reminder-day.ts'

const at = (iso: string) => Date.parse(iso)

test.each([
  ['2026-11-24T10:00:00Z', '2026-11-21T10:00:00Z', true],
  ['2026-11-24T21:59:59Z', '2026-11-20T22:00:00Z', true], // the last second of the day, asked in its first
  ['2026-11-24T22:00:00Z', '2026-11-21T21:59:59Z', false], // the next day there
  ['2026-11-24T22:00:00Z', '2026-11-21T22:00:00Z', true],
  ['2026-11-23T12:00:00Z', '2026-11-21T12:00:00Z', false],
  ['2026-11-25T12:00:00Z', '2026-11-21T12:00:00Z', false],
  ['2027-01-02T08:00:00Z', '2026-12-30T08:00:00Z', true], // over the end of the year
  ['2027-03-29T08:00:00Z', '2027-03-26T08:00:00Z', true], // over the beginning of summer time
])('what ends at %s, on %s: %s', (end, now, want) => expect(endsInThreeDays(at(end) / 1000, at(now))).toBe(want))
