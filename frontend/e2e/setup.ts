import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from '@playwright/test'
import { command, withBrief } from './command.ts'
import { english, languages } from './paper.ts'

/** An article of the English edition, as another system exports it; an hour old, so that a brief of today tells it. */
function article(id: number, title: string): string {
  const at = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const sentences = Array.from({ length: 12 }, (_, i) => `Sentence ${i + 1} of a paragraph that was written to be talked about.`).join(' ')
  const paragraphs = Array.from({ length: 6 }, () => `<p>${sentences}</p>`).join('\n')
  return `<item><title>${title}</title><dc:creator>jane</dc:creator><wp:post_id>${id}</wp:post_id><wp:post_date_gmt>${at}</wp:post_date_gmt><wp:post_name>article-${id}</wp:post_name>
<wp:post_type>post</wp:post_type><wp:status>publish</wp:status><excerpt:encoded>What ${title.toLowerCase()} is about.</excerpt:encoded><content:encoded><![CDATA[${paragraphs}]]></content:encoded></item>`
}

const exported = (items: string[]) => `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>x</title><link>https://abroad.example</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://abroad.example</wp:base_blog_url><wp:author><wp:author_login>jane</wp:author_login><wp:author_display_name>Jane Marlow</wp:author_display_name></wp:author>${items.join('')}</channel></rss>`

/** A page of so many sections, as readers agree to it. */
const page = (slug: string, title: string, sections: number) =>
  `- slug: ${slug}\n  title: ${title}\n  body: |\n    How it is.\n${Array.from({ length: sections }, (_, i) => `\n    ## ${title}, part ${i + 1}\n\n    What part ${i + 1} says.\n`).join('')}`

/** Adds the edition in English with what readers need there, and gives each language a brief whose hour tests can choose. */
export default async function setup(): Promise<void> {
  process.env.E2E_BRIEF = `brief-${Date.now()}` // a list that has never gone out
  const folder = mkdtempSync(path.join(tmpdir(), 'editions-'))
  const write = (name: string, text: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const later = new Date(Date.now() + 12 * 3_600_000)
  command('edition', 'apply', ...languages.map((one) => write(`${one.id}.yaml`, withBrief(one, later).text)))
  command('page', 'apply', write('pages.yaml', [page('terms-and-conditions', 'Terms and conditions', 11), page('privacy-policy', 'Privacy policy', 9), page('discussion-codex', 'Code of conduct', 1), page('privacy-notice', 'Your data in short', 1)].join('')), '--edition', english.id)
  const posts = write('posts.xml', exported([article(1, 'A bridge'), article(2, 'A harbour'), article(3, 'A railway')]))
  const take = () => command('import', 'wordpress', posts, '--edition', english.id, '--category', english.section)
  await expect(take, 'the server has taken the new edition in, with its categories').toPass({ timeout: 30_000 })
}
