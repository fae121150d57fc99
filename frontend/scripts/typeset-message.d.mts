import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'

export function setNodes(locale: string, nodes: MessageFormatElement[], counted?: string | null): MessageFormatElement[]
