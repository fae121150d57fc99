import type { components } from '../api/schema.gen.ts'

type Schemas = components['schemas']

/** Every kind of page that an edition can have; its `paths` say where, null that it has none. */
export type RouteId = Schemas['RouteId']

/** A node of the category tree. `key` is the same in all editions: colours and meaning go by it, never by the name. */
export type Category = Schemas['CategoryNode']

export type MenuItem = Schemas['MenuItem']

/** The public part of a tenant file, as the server puts it into each page. */
export type PublicEdition = Omit<Schemas['PublicEdition'], 'paths'> & { paths: Partial<Record<RouteId, string | null>> }

export type Language = PublicEdition['locale']

/** A locale that the build has words for: a language, or a regional overlay of one. */
export type MessageLocale = Language | 'de-AT' | 'de-CH'
