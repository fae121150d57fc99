import { useSite } from '../../../app/site-context.ts'
import { useT } from '../../../i18n/use-t.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import sections from './sections.module.css'
import { Section } from './section.tsx'

/** The way to every question about consent. */
export function Consent() {
  const t = useT()
  const { href } = useSite()
  return (
    <Section title={t('profilePage.consent.title')}>
      <p>{t('profilePage.consent.text')}</p>
      <div className={sections.ways}>
        <ButtonLink href={href('consent')} size="small" variant="outline">
          {t('profilePage.consent.change')}
        </ButtonLink>
      </div>
    </Section>
  )
}
