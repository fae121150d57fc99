/**
 * The key of a login link: /security-check#hash=…. Some mail programs encode the mark, so that %23 arrives in its
 * place, and some the sign after it too.
 */
export function linkHash(address: string): string {
  const found = /(?:#|%23)hash(?:=|%3D)([^&#\s]+)/i.exec(address)?.[1] ?? ''
  try {
    return decodeURIComponent(found)
  } catch {
    return found
  }
}
