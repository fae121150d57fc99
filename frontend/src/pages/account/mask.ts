/** jana.nova@north.example → j•••@north.example: enough to know one's own address by. A masked one stays as it is. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? email : `${Array.from(email)[0]}•••${email.slice(at)}`
}
