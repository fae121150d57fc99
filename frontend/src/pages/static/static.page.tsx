import { clsx } from 'clsx/lite'
import type { StaticData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { Body } from '../../blocks/body.tsx'
import list from '../../blocks/list-page.module.css'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import { Block } from './block.tsx'
import { Buttons } from './buttons.tsx'
import { CompanyNav } from './company-nav.tsx'
import { Star } from './star.tsx'
import styles from './static.module.css'

/** A page of the edition: running text, such as the terms, or one about the company with its own layout. */
export function Page({ page: { url, data } }: PageProps<StaticData>) {
  const t = useT()
  const { format } = useSite()
  const path = url.split('?')[0] ?? url
  const layout = data.layout ?? 'text'
  const blocks = data.blocks?.filter((block) => block.kind !== 'links') ?? []
  const links = data.blocks?.flatMap((block) => (block.kind === 'links' ? (block.items ?? []) : [])) ?? []
  const about = layout !== 'text' && layout !== 'christmas'
  return (
    <div className={styles.page}>
      {about && <CompanyNav path={path} />}
      <article className={styles[layout] ?? styles.text} data-layout={layout} lang={data.lang}>
        {data.picture && (
          <figure className={styles.hero}>
            <Picture picture={data.picture} role="hero" eager />
            {data.picture.caption && <figcaption className={styles.caption}>{data.picture.caption}</figcaption>}
          </figure>
        )}
        <header className={styles.head}>
          {layout === 'christmas' && <Star />}
          <h1 tabIndex={-1} className={clsx(list.title, styles.title)}>
            {data.title}
          </h1>
          {data.excerpt && <p className={styles.standfirst}>{data.excerpt}</p>}
          {layout === 'text' && data.modified && (
            <p className={styles.modified}>
              <time dateTime={data.modified}>{t('static.modified', { date: format.date(data.modified) })}</time>
            </p>
          )}
        </header>
        <div className={clsx(styles.body, layout === 'text' && styles.ruled)}>
          <Body name={`static-${path}`} html={data.body} />
        </div>
        {blocks.length > 0 && (
          <div className={styles.blocks}>
            {blocks.map((block, index) => (
              <Block key={index} block={block} name={`static-${path}-${index}`} />
            ))}
          </div>
        )}
      </article>
      <Buttons path={path} links={links} />
    </div>
  )
}
