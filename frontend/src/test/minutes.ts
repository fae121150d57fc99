import type { MinuteStory } from '../api/content.ts'

/** Short news, one an hour, newest first. */
export const makeMinutes = (count: number, from = 0): MinuteStory[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index + 1
    return {
      id: number,
      url: `/${number}/sprava`,
      title: `Správa ${number}`,
      date: new Date(Date.UTC(2026, 2, 2, 20) - (number - 1) * 3_600_000).toISOString(),
      body: `<p>Text ${number}</p>`,
      comments: number === 1 ? 2 : 0,
    }
  })
