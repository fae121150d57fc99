/** What is searched for: trimmed, in lower case, without question marks. Empty: nothing. */
export const searchTerm = (text: string): string => text.replaceAll('?', '').trim().toLowerCase()
