import type { MessageId } from '../gen/message-ids.ts'

declare global {
  namespace FormatjsIntl {
    interface Message {
      ids: MessageId
    }
  }
}
