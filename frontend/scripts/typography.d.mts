export function typeset(locale: string, text: string): string
