import type { FrontData } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { Card } from '../../blocks/card.tsx'
import { Headline } from '../../blocks/headline.tsx'
import { Section } from '../../blocks/section.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import styles from './topic.module.css'

type TopicBlock = NonNullable<FrontData['topic']>

/** The weekly topic: its cover and its question, then five of its articles, the first with a picture. */
export function Topic({ block: { topic, cards }, today }: { block: TopicBlock; today?: string | undefined }) {
  const t = useT()
  const { href, has } = useSite()
  const [first, ...rest] = cards
  const cover = topic.covers[0]
  return (
    <Section title={t('front.topic')} {...(has('topicIndex') ? { href: href('topicIndex'), all: t('front.allTopics') } : {})}>
      <div className={styles.topic}>
        <div className={styles.issue}>
          {cover && <Picture className={styles.cover} picture={cover} role="cover" decorative />}
          <div>
            <Headline size="h2" level={3} opinion>
              <a href={topic.url}>
                {topic.title}
              </a>
            </Headline>
            {topic.description && <p className={styles.description}>{topic.description}</p>}
          </div>
        </div>
        {first && (
          <div className={styles.first}>
            <Card card={first} size="h4" level={4} picture="c4" excerpt today={today} />
          </div>
        )}
        {rest.length > 0 && (
          <div className={styles.rest}>
            {rest.map((card) => (
              <Card key={card.id} card={card} size="h6" level={4} today={today} />
            ))}
          </div>
        )}
      </div>
    </Section>
  )
}
