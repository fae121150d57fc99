const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const decode = (whole: string, name: string) => {
  const number = name.startsWith('#x') ? parseInt(name.slice(2), 16) : name.startsWith('#') ? Number(name.slice(1)) : NaN
  return entities[name] ?? (number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : whole)
}
const plain = (text: string) => text.replace(/<[^>]*>/g, '').replace(/&(#?\w+);/g, decode)

/** Text in which `<mark>` says what was found; of other markup the words alone remain. */
export function Marked({ html }: { html: string }) {
  return html.split(/<mark>([\s\S]*?)<\/mark>/).map((part, index) => (index % 2 === 1 ? <mark key={index}>{plain(part)}</mark> : plain(part)))
}
