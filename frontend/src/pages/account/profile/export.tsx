import type { ProfileData } from '../../../api/content.ts'
import { NamedReader } from '../../../app/lost-session.tsx'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from './section.tsx'

/** All that is kept of the reader, as a file. A plain form: browsers save what it is answered with. */
export function Export({ data }: { data: ProfileData }) {
  const t = useT()
  if (!data.leave) return null
  const { fresh } = data.leave
  return (
    <Section title={t('profilePage.export.title')}>
      <p>{t('profilePage.export.text')}</p>
      {!fresh && <p>{t('profilePage.export.stale')}</p>}
      <form method="post" action={fresh ? '/user/export' : '/api/logout'}>
        <NamedReader />
        <Button type="submit" variant="outline">
          {t(fresh ? 'profilePage.export.submit' : 'profilePage.export.again')}
        </Button>
      </form>
    </Section>
  )
}
