import type { ProfileData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import styles from './profile.module.css'
import sections from './sections.module.css'
import { Section } from './section.tsx'

/** The lists that the reader gets, and the way to change that. */
export function Newsletters({ data }: { data: ProfileData }) {
  const t = useT()
  const { href } = useSite()
  if (!data.newsletters) return null
  const chosen = data.newsletters.filter((list) => list.chosen)
  return (
    <Section title={t('profilePage.newsletters.title')}>
      {chosen.length === 0 ? (
        <p>{t('profilePage.newsletters.none')}</p>
      ) : (
        <dl className={styles.facts}>
          {chosen.map((list) => (
            <div key={list.id}>
              <dt>{list.name}</dt>
              <dd>{list.schedule}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={sections.ways}>
        <ButtonLink href={href('newsletterStep', { step: 'settings' })} size="small" variant="outline">
          {t('profilePage.newsletters.change')}
        </ButtonLink>
      </div>
    </Section>
  )
}
