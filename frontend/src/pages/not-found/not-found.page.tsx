import { clsx } from 'clsx/lite'
import type { NotFoundData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { useToday } from '../../app/use-today.ts'
import { CardRows } from '../../blocks/card-rows.tsx'
import list from '../../blocks/list-page.module.css'
import { SearchForm } from '../../blocks/search-form.tsx'
import { Section } from '../../blocks/section.tsx'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './not-found.module.css'

/** Two rows of three. */
const rowsShown = [[0, 3], [3, 6]] as const

export function Page({ page }: PageProps<NotFoundData | null>) {
  const { data } = page
  const t = useT()
  const { href, has } = useSite()
  const today = useToday(page)
  const cards = data?.mostRead ?? []
  return (
    <>
      <div className={styles.head}>
        <p className={styles.code} aria-hidden="true">
          404
        </p>
        <h1 tabIndex={-1} className={clsx(list.title, styles.title)}>
          {t('notFound.title')}
        </h1>
        <p className={styles.text}>{t('notFound.text')}</p>
        {has('search') && (
          <div className={styles.search}>
            <SearchForm />
          </div>
        )}
        <ButtonLink href={href('front')} variant="outline">{t('notFound.home')}</ButtonLink>
      </div>
      {cards.length > 0 && (
        <Section title={t('notFound.mostRead')}>
          <CardRows rows={rowsShown.map(([from, to]) => cards.slice(from, to)).filter((row) => row.length > 0)} today={today} />
        </Section>
      )}
    </>
  )
}
