/** The popups, in the order in which they may come; there is never more than one. */
export const popupOrder = ['consent', 'terms', 'reminder', 'expired', 'welcome'] as const

export type PopupId = (typeof popupOrder)[number]

export interface Popups {
  /** Asked for and not yet answered. */
  waiting: readonly PopupId[]
  /** Answered on this visit: they do not come back by themselves. */
  done: readonly PopupId[]
}

export type PopupAction = { type: 'ask'; id: PopupId } | { type: 'close'; id: PopupId } | { type: 'reopen'; id: PopupId }

export const noPopups: Popups = { waiting: [], done: [] }

export function popups(state: Popups, action: PopupAction): Popups {
  const without = (list: readonly PopupId[]) => list.filter((id) => id !== action.id)
  switch (action.type) {
    case 'ask':
      if (state.waiting.includes(action.id) || state.done.includes(action.id)) return state
      return { ...state, waiting: [...state.waiting, action.id] }
    case 'close':
      return { waiting: without(state.waiting), done: [...without(state.done), action.id] }
    case 'reopen':
      return { waiting: [...without(state.waiting), action.id], done: without(state.done) }
  }
}

/** The popup to show: the first of those waiting, by the fixed order. */
export const openPopup = ({ waiting }: Popups): PopupId | null => popupOrder.find((id) => waiting.includes(id)) ?? null
