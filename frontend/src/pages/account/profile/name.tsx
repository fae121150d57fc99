import type { ProfileData } from '../../../api/content.ts'
import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import sections from './sections.module.css'
import { Section } from './section.tsx'

/** The name under which the reader writes in discussions. */
export function Name({ data }: { data: ProfileData }) {
  const t = useT()
  const { href } = useSite()
  const name = data.login.commentName
  return (
    <Section title={t('profilePage.name.title')}>
      {name ? <p className={sections.strong}>{name}</p> : <p>{t('profilePage.name.none')}</p>}
      <div className={sections.ways}>
        <ButtonLink href={href('focus', {}, { type: 'comment_name' })} size="small" variant="outline">
          {t(name ? 'profilePage.name.change' : 'profilePage.name.set')}
        </ButtonLink>
      </div>
    </Section>
  )
}
