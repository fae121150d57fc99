import type { PageBlock } from '../../api/content.ts'
import { asSafeHtml } from '../../api/html.ts'
import { Section } from '../../blocks/section.tsx'
import { Prose } from '../../ui/prose.tsx'
import styles from './block.module.css'
import { Offices } from './offices.tsx'
import { People } from './people.tsx'
import { Positions } from './positions.tsx'
import { Principles } from './principles.tsx'
import { Timeline } from './timeline.tsx'

const shown = { timeline: Timeline, people: People, offices: Offices, principles: Principles, positions: Positions }

/** A part of a page that has more form than text, under its title. */
export function Block({ block, name }: { block: PageBlock; name: string }) {
  const Items = block.kind in shown ? shown[block.kind as keyof typeof shown] : undefined
  const content = (
    <>
      {block.html && (
        <div className={Items ? styles.intro : styles.text}>
          <Prose name={name} html={asSafeHtml(block.html)} />
        </div>
      )}
      {Items && <Items items={block.items ?? []} name={name} titled={Boolean(block.title)} />}
    </>
  )
  if (block.title) return <Section title={block.title}>{content}</Section>
  return <div>{content}</div>
}
