import type { StatusCode } from '../api/codes.ts'
import { successCodes } from '../api/success-codes.ts'
import { queryValue } from './query.ts'

export interface Status {
  code: StatusCode
  kind: 'error' | 'success'
}

/** The message that an address asks for with ?status=. Whether there is one for its code, the words know. */
export function statusOf(url: string): Status | null {
  const code = queryValue(url, 'status') as StatusCode
  return /^[A-Z_]+$/.test(code) ? { code, kind: (successCodes as readonly StatusCode[]).includes(code) ? 'success' : 'error' } : null
}

/** The address with a status, in place of any it had. */
export const withStatus = (url: string, code: StatusCode) => edit(url, ['status'], [`status=${code}`])

/** The address without its status. */
export const withoutStatus = (url: string) => edit(url, ['status'])

/** The address without what is laid over its page: a message, an opened video. */
export const withoutMarks = (url: string) => edit(url, ['status', reminderMark, ...videoMarks])

/** Asks for the notice about the subscription's end: ?reminder. */
export const reminderMark = 'reminder'

/** The address without the question for a reminder. */
export const withoutReminder = (url: string) => edit(url, [reminderMark])

/** The names under which an address says which video is open, and from which day it is. */
export const videoMarks = ['video-komentar', 'data'] as const

/** The address with a video opened over its page; with none, when there is no video. */
export const withVideo = (url: string, video?: { id: number; day: string }) =>
  edit(url, videoMarks, video ? [`${videoMarks[0]}=${video.id}`, `${videoMarks[1]}=${video.day}`] : [])

function edit(url: string, names: readonly string[], added: string[] = []): string {
  const [beforeHash = '', hash] = url.split('#')
  const [path = '', query = ''] = beforeHash.split('?')
  const kept = query.split('&').filter((pair) => pair !== '' && !names.includes(pair.split('=')[0] ?? ''))
  const search = [...kept, ...added].join('&')
  return path + (search ? `?${search}` : '') + (hash ? `#${hash}` : '')
}
