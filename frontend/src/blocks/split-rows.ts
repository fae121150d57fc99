/**
 * Cuts a list into rows of 4 and 3 that all end at the right edge, beginning with `first`. Fewer than 6 make what
 * they can: 5 are a row of 3 and one of 2.
 */
export function splitRows<Item>(items: readonly Item[], first: 3 | 4 = 4): Item[][] {
  const rows: Item[][] = []
  let from = 0
  let wanted: number = first
  while (from < items.length) {
    const size = rowSize(items.length - from, wanted)
    rows.push(items.slice(from, from + size))
    from += size
    wanted = wanted === 4 ? 3 : 4
  }
  return rows
}

// 1, 2 and 5 are the counts that rows of 3 and 4 cannot make: none of them may be left over.
const makeable = (count: number) => count !== 1 && count !== 2 && count !== 5

function rowSize(left: number, wanted: number): number {
  if (left <= 4) return left
  if (left === 5) return 3
  return makeable(left - wanted) ? wanted : 7 - wanted
}
