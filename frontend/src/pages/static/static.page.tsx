import type { StaticData } from '../../api/content.ts'
import type { PageProps } from '../../app/page-module.ts'
import { useSite } from '../../app/site-context.ts'
import { Body } from '../../blocks/body.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Picture } from '../../ui/picture.tsx'
import styles from './static.module.css'

export function Page({ page: { url, data } }: PageProps<StaticData>) {
  const t = useT()
  const { format } = useSite()
  return (
    <article className={styles.static}>
      <header>
        <h1 tabIndex={-1} className={styles.title}>
          {data.title}
        </h1>
        {data.excerpt && <p className={styles.standfirst}>{data.excerpt}</p>}
        {data.modified && (
          <p className={styles.modified}>
            <time dateTime={data.modified}>{t('static.modified', { date: format.date(data.modified) })}</time>
          </p>
        )}
      </header>
      {data.picture && (
        <figure>
          <Picture picture={data.picture} role="article" eager />
          {data.picture.caption && <figcaption className={styles.modified}>{data.picture.caption}</figcaption>}
        </figure>
      )}
      <div className={styles.text}>
        <Body name={`static-${url.split('?')[0]}`} html={data.body} />
      </div>
    </article>
  )
}
