// The part of URL that the router asks for on the server: a reference resolved against a base, and its pieces
// percent-encoded as browsers do it. Addresses with a user name or an exotic host do not occur here.
const encoder = (keep: RegExp) => (text: string) => {
  let out = ''
  for (const letter of text) {
    const code = letter.codePointAt(0) as number
    if (code > 0x20 && code < 0x7f && keep.test(letter)) out += letter
    else if (code >= 0xd800 && code <= 0xdfff) out += '%EF%BF%BD'
    else out += code < 0x80 ? '%' + code.toString(16).toUpperCase().padStart(2, '0') : encodeURIComponent(letter)
  }
  return out
}
const encodePath = encoder(/[^"#<>?`{}^]/)
const encodeQuery = encoder(/[^"#<>']/)
const encodeHash = encoder(/[^"<>`]/)

const absolute = /^([a-z][a-z0-9+.-]*):(.*)$/i
const pieces = /^(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/

function resolveDots(path: string): string {
  const segments = path.split('/').slice(1)
  const out: string[] = []
  segments.forEach((segment, index) => {
    const plain = segment.replace(/%2e/gi, '.')
    const last = index === segments.length - 1
    if (plain === '..') out.pop()
    if (plain !== '.' && plain !== '..') out.push(segment)
    else if (last) out.push('')
  })
  return '/' + out.join('/')
}

export class URL {
  protocol: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
  origin: string

  constructor(reference: string | URL, base?: string | URL) {
    const text = String(reference).trim().replace(/[\t\n\r]/g, '')
    const scheme = absolute.exec(text)
    const from = base === undefined ? undefined : base instanceof URL ? base : new URL(base)
    const parts = pieces.exec((scheme ? (scheme[2] as string) : text).replace(/\\/g, '/'))
    if (!parts || (scheme ? parts[1] === undefined : !from)) throw new TypeError(`Invalid URL: ${text}`)
    const [, authority, path = '', query, fragment] = parts
    this.protocol = scheme ? (scheme[1] as string).toLowerCase() + ':' : (from as URL).protocol
    this.host = (authority ?? (from as URL).host).toLowerCase()
    let resolved = path
    if (authority !== undefined) resolved = path || '/'
    else if (path === '') resolved = (from as URL).pathname
    else if (!path.startsWith('/')) resolved = (from as URL).pathname.replace(/[^/]*$/, '') + path
    this.pathname = encodePath(resolveDots(resolved))
    const search = query ?? (path === '' && authority === undefined ? (from as URL).search : '')
    this.search = search.length > 1 ? '?' + encodeQuery(search.slice(1)) : ''
    this.hash = fragment && fragment.length > 1 ? '#' + encodeHash(fragment.slice(1)) : ''
    const port = /:(\d+)$/.exec(this.host)
    this.port = port?.[1] ?? ''
    this.hostname = port ? this.host.slice(0, port.index) : this.host
    this.origin = `${this.protocol}//${this.host}`
  }

  get href() {
    return this.origin + this.pathname + this.search + this.hash
  }

  toString() {
    return this.href
  }

  toJSON() {
    return this.href
  }
}
