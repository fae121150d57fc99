import type { ArticleData, Byline } from '../../api/content.ts'
import { useSite } from '../../app/site-context.ts'
import { useT } from '../../i18n/use-t.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './article.module.css'

/** Ways on from an article: the newsletters, the topic that it belongs to, and more by those who wrote it. */
export function Further({ authors = [], topic }: { authors: Byline[] | undefined; topic: ArticleData['topic'] }) {
  const t = useT()
  const { href, has } = useSite()
  return (
    <nav className={styles.further} aria-label={t('article.further')}>
      <p>{t('article.further.text')}</p>
      {has('newsletters') && <ButtonLink href={href('newsletters')}>{t('article.newsletters')}</ButtonLink>}
      {[topic && { url: topic.url, words: topic.title }, ...authors.map(({ name, url }) => ({ url, words: t('article.moreBy', { name }) }))].map(
        (way) =>
          way?.url && (
            <ButtonLink key={way.url} variant="outline" href={way.url}>
              {way.words}
            </ButtonLink>
          ),
      )}
    </nav>
  )
}
