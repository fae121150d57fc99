// By itself: the app names the reader at once, and the calls come when something needs them.
let reader: number | undefined

/** Says for which account the shown page was made: every call names it, and is refused if another one is logged in by now. */
export const nameReader = (id: number | undefined) => {
  reader = id
}

/** The account that nameReader was given last. */
export const namedReader = () => reader
