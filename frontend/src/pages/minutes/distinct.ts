/** Without what an earlier part has brought: news that came in between move the parts. */
export function distinct<Item extends { id: number }>(items: readonly Item[]): Item[] {
  const seen = new Set<number>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}
