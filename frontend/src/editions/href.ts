import type { Category, PublicEdition, RouteId } from './types.ts'

export type Params = Record<string, string | number>
export type Query = Record<string, string | number | undefined>

/** Fills a path pattern; throws when a parameter is missing, because the link would lead nowhere. */
export function fillPath(pattern: string, params: Params = {}): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`Path ${pattern} lacks the parameter ${name}`)
    return encodeURIComponent(value)
  })
}

/** A query string with its question mark, or nothing; undefined values are left out. */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.length === 0 ? '' : '?' + pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value as string | number)}`).join('&')
}

/**
 * The address of a route in this edition, the only way to make one. A route that the edition does not have leads
 * to its front page; ask `has` first where a link should then not appear at all.
 */
export function makeHref(edition: PublicEdition) {
  return (id: RouteId, params?: Params, query?: Query): string => {
    const pattern = edition.paths[id] ?? edition.paths.front ?? '/'
    return fillPath(pattern, params) + queryString(query)
  }
}

/** Finds a category or subcategory by slug, with its parent. */
export function findCategory(categories: Category[], slug: string): { category: Category; parent?: Category } | undefined {
  for (const category of categories) {
    if (category.slug === slug) return { category }
    const child = category.children?.find((one) => one.slug === slug)
    if (child) return { category: child, parent: category }
  }
  return undefined
}
