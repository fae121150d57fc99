/** A parameter of an address, or ''. Read by hand: the server's engine has no URLSearchParams. */
export function queryValue(url: string, name: string): string {
  const query = url.split('#')[0]?.split('?')[1] ?? ''
  const pair = query.split('&').find((one) => one.split('=')[0] === name)
  try {
    return decodeURIComponent((pair?.slice(name.length + 1) ?? '').replace(/\+/g, ' '))
  } catch {
    return '' // a stray percent sign
  }
}
