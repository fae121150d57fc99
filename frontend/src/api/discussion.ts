import { api } from './client.ts'
import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

export type DiscussionData = Schemas['DiscussionData']
export type DiscussionThread = Schemas['DiscussionThread']
export type DiscussionComment = Schemas['DiscussionComment']
export type ReportReason = Schemas['ReportReason']

export const reportReasons = ['insult', 'hate', 'spam', 'false', 'privacy', 'other'] as const satisfies readonly ReportReason[]

/** Writes a comment; answers its number. With the same key it is one comment, however often it is sent. */
export async function writeComment(articleId: number, body: { text: string; key: string; parent?: number }): Promise<number> {
  const { data } = await api.POST('/api/discussion/{articleId}', { params: { path: { articleId: String(articleId) } }, body })
  return data?.id ?? 0
}

const of = (id: number) => ({ path: { commentId: String(id) } })

export const editComment = (id: number, text: string) => api.POST('/api/comment/{commentId}/edit', { params: of(id), body: { text } })
export const removeComment = (id: number) => api.POST('/api/comment/{commentId}/remove', { params: of(id), body: {} })
export const likeComment = (id: number, liked: boolean) => api.POST('/api/comment/{commentId}/like', { params: of(id), body: { liked } })
export const reportComment = (id: number, reason: ReportReason, note: string) => api.POST('/api/comment/{commentId}/report', { params: of(id), body: { reason, note } })
export const hideComment = (id: number, reason: string) => api.POST('/api/comment/{commentId}/hide', { params: of(id), body: { reason } })
export const restoreComment = (id: number, reason: string) => api.POST('/api/comment/{commentId}/restore', { params: of(id), body: { reason } })
export const banWriter = (id: number, days: number, reason: string) => api.POST('/api/comment/{commentId}/ban', { params: of(id), body: { days, reason } })
export const unbanWriter = (id: number, reason: string) => api.POST('/api/comment/{commentId}/unban', { params: of(id), body: { reason } })
export const setCommentName = (name: string) => api.POST('/fns/user-comment-name', { body: { comment_name: name } })
