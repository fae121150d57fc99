export interface Group<Item> {
  name: string
  items: { item: Item; index: number }[]
}

/** A dated list under its days or years, in its order; each item with its place in the whole. */
export function groupBy<Item extends { date: string }>(items: readonly Item[], nameOf: (date: string) => string): Group<Item>[] {
  const groups: Group<Item>[] = []
  items.forEach((item, index) => {
    const name = nameOf(item.date)
    const last = groups.at(-1)
    if (last?.name === name) last.items.push({ item, index })
    else groups.push({ name, items: [{ item, index }] })
  })
  return groups
}
