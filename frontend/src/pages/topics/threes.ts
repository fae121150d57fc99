/** Groups of three; a single one that is left over joins the group before it. */
export function threes<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  for (let from = 0; from < items.length; from += 3) groups.push(items.slice(from, from + 3))
  const last = groups.at(-1)
  if (groups.length > 1 && last?.length === 1) groups.splice(-2, 2, [...(groups.at(-2) ?? []), ...last])
  return groups
}
