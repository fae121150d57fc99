/** The digits of a pasted or filled-in text, one a box; null unless there are enough for all. */
export function fillFrom(text: string, total: number): string[] | null {
  const digits = text.replace(/\D/g, '').slice(0, total)
  return digits.length === total ? digits.split('') : null
}

/** The digits with one of them replaced; the same when there is no such box. */
export const typeInto = (digits: readonly string[], index: number, digit: string): string[] => digits.map((one, i) => (i === index ? digit : one))
