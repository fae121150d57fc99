/** What an arrow key asks for, unless it belongs to something else: a field, a player, a row that scrolls, a shortcut. */
export function arrowOf(event: KeyboardEvent): 'previous' | 'next' | null {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return null
  const at = event.target instanceof Element ? event.target : null
  if (at?.closest('input, textarea, select, video, audio, iframe, [contenteditable], [data-scroller]')) return null
  return event.key === 'ArrowLeft' ? 'previous' : event.key === 'ArrowRight' ? 'next' : null
}
