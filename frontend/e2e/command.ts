import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { must, type Edition } from './paper.ts'

const program = process.env.E2E_BIN ?? path.join(import.meta.dirname, '../../bin/broadsheet')

/** Runs the paper's own command on the paper that is tested, and returns what it says. */
export const command = (...args: string[]): string => execFileSync(program, [...args, '--data', must(process.env.E2E_DATA, 'the data folder')], { encoding: 'utf8', stdio: 'pipe' })

/** The document of an edition: one that ships, or the English one of the tests. */
export const documentOf = ({ id }: Edition): string =>
  readFileSync(path.join(import.meta.dirname, id === 'english' ? 'english/edition.yaml' : `../../tenants/${id}.yaml`), 'utf8')

const briefs: Record<string, string> = { sk: 'Výber na skúšku', de: 'Auswahl zur Probe', en: 'A brief to try' }

/** What the brief of the tests is called. */
export const briefName = ({ lang }: Edition): string => must(briefs[lang.slice(0, 2)], 'the name of the brief')

/** The document of an edition with one more brief, which goes out at that time of the day, and that hour as pages write it. */
export function withBrief(edition: Edition, at: Date): { text: string; hour: string } {
  const document = documentOf(edition)
  const zone = must(/^time_zone: (\S+)/m.exec(document)?.[1], 'the zone')
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)
  const list = `  - {id: ${must(process.env.E2E_BRIEF, 'the brief')}, kind: brief, name: ${briefName(edition)}, description: ${briefName(edition)}, at: '${time}'}\n`
  return { text: document.replace(/^newsletters:\n/m, `newsletters:\n${list}`), hour: time.replace(/^0/, '') }
}
