// Those of discussions are known where a discussion is shown: every other page has enough to load.
export const discussionCodes = [
  'TOO_MANY_REQUESTS', 'SUBSCRIPTION_REQUIRED', 'DISCUSSION_BANNED', 'COMMENT_GONE', 'COMMENT_TOO_LONG', 'TOO_MANY_LINKS', 'EDIT_TOO_LATE', 'NOT_MODERATOR',
] as const
