import { isErrorCode, isStatusCode, type StatusCode } from '../api/codes.ts'

export interface Status {
  code: StatusCode
  kind: 'error' | 'success'
}

/** The message that an address asks for with ?status=, if its code is known. */
export function statusOf(url: string): Status | null {
  // Read by hand: the server's engine has no URLSearchParams.
  const query = url.split('#')[0]?.split('?')[1] ?? ''
  const code = query
    .split('&')
    .find((pair) => pair.startsWith('status='))
    ?.slice('status='.length)
  return isStatusCode(code) ? { code, kind: isErrorCode(code) ? 'error' : 'success' } : null
}

/** The address with a status, in place of any it had. */
export const withStatus = (url: string, code: StatusCode) => edit(url, [`status=${code}`])

/** The address without its status. */
export const withoutStatus = (url: string) => edit(url, [])

function edit(url: string, added: string[]): string {
  const [beforeHash = '', hash] = url.split('#')
  const [path = '', query = ''] = beforeHash.split('?')
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('status='))
  const search = [...kept, ...added].join('&')
  return path + (search ? `?${search}` : '') + (hash ? `#${hash}` : '')
}
