import type { Byline } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './article.module.css'

/** Ways on from an article: more by those who wrote it, and the newsletters. */
export function Further({ authors = [] }: { authors: Byline[] | undefined }) {
  const t = useT()
  const { href, has } = useSite()
  return (
    <nav className={styles.further} aria-label={t('article.further')}>
      <p>{t('article.further.text')}</p>
      {has('newsletters') && <ButtonLink href={href('newsletters')}>{t('article.newsletters')}</ButtonLink>}
      {authors.map(
        ({ name, url }) =>
          url && (
            <ButtonLink key={url} variant="outline" href={url}>
              {t('article.moreBy', { name })}
            </ButtonLink>
          ),
      )}
    </nav>
  )
}
